# Solvers behind placers: linear programs and graph partitions.
find_path(GLPK_INCLUDE_DIR glpk.h REQUIRED)
find_library(GLPK_LIBRARY glpk REQUIRED)
find_path(SCOTCH_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch REQUIRED)
find_library(SCOTCH_LIBRARY scotch REQUIRED)
find_library(SCOTCH_ERROR_LIBRARY scotcherr REQUIRED) # prints what goes wrong, does not exit
# Headers go to the files that need them.
set_property(SOURCE place/FavouriteChildren.cpp
             APPEND PROPERTY COMPILE_OPTIONS -idirafter ${GLPK_INCLUDE_DIR})
set_property(SOURCE place/MinCutPlacer.cpp
             APPEND PROPERTY COMPILE_OPTIONS -isystem ${SCOTCH_INCLUDE_DIR})
target_link_libraries(doppler_core PUBLIC ${GLPK_LIBRARY} ${SCOTCH_LIBRARY} ${SCOTCH_ERROR_LIBRARY})
