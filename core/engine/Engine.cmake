# What the engine needs from outside, each optional: LibTorch, CUDA, NCCL.
set(DOPPLER_CUDA AUTO CACHE STRING "CUDA parts: AUTO (built where a toolkit is found), ON, OFF")
set_property(CACHE DOPPLER_CUDA PROPERTY STRINGS AUTO ON OFF)
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "80;90" CACHE STRING "GPU architectures to compile kernels for")
endif()

# Headers and definitions go to the few files that need them, not to all of core.
function(doppler_engine_source FILE)
    target_sources(doppler_core PRIVATE ${FILE})
    foreach(DIRECTORY ${ARGN})
        set_property(SOURCE ${FILE} APPEND PROPERTY COMPILE_OPTIONS -isystem${DIRECTORY})
    endforeach()
endfunction()

set_property(SOURCE engine/SystemInfo.cpp
             PROPERTY COMPILE_DEFINITIONS DOPPLER_VERSION="${PROJECT_VERSION}")

# The cpu runtime; its Torch*.cpp (and the version) include LibTorch, which learn/Learn.cmake found.
file(GLOB DOPPLER_CPU_SOURCES CONFIGURE_DEPENDS engine/cpu/*.cpp)
target_sources(doppler_core PRIVATE ${DOPPLER_CPU_SOURCES})
file(GLOB DOPPLER_CPU_TORCH_SOURCES CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
     engine/cpu/Torch*.cpp)
doppler_libtorch_sources(engine/cpu/LibTorchVersion.cpp ${DOPPLER_CPU_TORCH_SOURCES})
set_property(SOURCE engine/cpu/LibTorchVersion.cpp
             PROPERTY COMPILE_DEFINITIONS DOPPLER_HAS_LIBTORCH)
target_link_libraries(doppler_core PRIVATE ${CMAKE_DL_LIBS})

if(NOT DOPPLER_CUDA STREQUAL "OFF")
    find_package(CUDAToolkit QUIET)
    if(DOPPLER_CUDA STREQUAL "ON" AND NOT CUDAToolkit_FOUND)
        message(FATAL_ERROR "DOPPLER_CUDA is ON, but there is no CUDA toolkit; give its place with "
                            "-DCUDAToolkit_ROOT=, or set DOPPLER_CUDA to AUTO or OFF")
    endif()
endif()
if(NOT DOPPLER_CUDA STREQUAL "OFF" AND CUDAToolkit_FOUND)
    message(STATUS "CUDA toolkit: ${CUDAToolkit_VERSION}")
    doppler_engine_source(engine/cuda/CudaGpuDevices.cpp ${CUDAToolkit_INCLUDE_DIRS})
    # The static runtime: a program built with CUDA also starts where there is none.
    target_link_libraries(doppler_core PRIVATE $<LINK_ONLY:CUDA::cudart_static>)
    find_path(DOPPLER_NCCL_INCLUDE nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
    if(DOPPLER_NCCL_INCLUDE)
        set_property(SOURCE engine/cuda/CudaGpuDevices.cpp
                     PROPERTY COMPILE_DEFINITIONS DOPPLER_HAS_NCCL)
    endif()
else()
    doppler_engine_source(engine/cuda/NoGpuDevices.cpp)
endif()
