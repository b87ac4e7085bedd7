# LibTorch runs the network's layers and their gradients; its headers go to the few files that need
# them.
find_path(DOPPLER_LIBTORCH_ATEN_INCLUDE ATen/ATen.h PATH_SUFFIXES include)
find_path(DOPPLER_LIBTORCH_API_INCLUDE torch/version.h
          PATH_SUFFIXES include/torch/csrc/api/include torch/csrc/api/include)
find_library(DOPPLER_LIBTORCH_CPU torch_cpu)
find_library(DOPPLER_LIBTORCH_C10 c10)
foreach(PART ATEN_INCLUDE API_INCLUDE CPU C10)
    if(NOT DOPPLER_LIBTORCH_${PART})
        message(FATAL_ERROR "LibTorch was not found (package libtorch-dev, or its place in "
                            "CMAKE_PREFIX_PATH)")
    endif()
endforeach()
target_link_libraries(doppler_core PUBLIC ${DOPPLER_LIBTORCH_CPU} ${DOPPLER_LIBTORCH_C10}
                      ${CMAKE_DL_LIBS})

# Marks files of this library that include LibTorch.
function(doppler_libtorch_sources)
    foreach(FILE ${ARGN})
        foreach(DIRECTORY ${DOPPLER_LIBTORCH_API_INCLUDE} ${DOPPLER_LIBTORCH_ATEN_INCLUDE})
            # Naming a folder that the compiler searches anyway would upset its order.
            if(NOT DIRECTORY IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
                set_property(SOURCE ${FILE} APPEND PROPERTY COMPILE_OPTIONS -isystem${DIRECTORY})
            endif()
        endforeach()
    endforeach()
endfunction()

doppler_libtorch_sources(learn/Encoder.cpp)
set_property(SOURCE learn/RunDirectory.cpp learn/TrainingStart.cpp
             APPEND PROPERTY COMPILE_DEFINITIONS DOPPLER_VERSION="${PROJECT_VERSION}")
