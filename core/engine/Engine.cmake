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
set(DOPPLER_CUDA_BUILT OFF)
if(NOT DOPPLER_CUDA STREQUAL "OFF" AND CUDAToolkit_FOUND)
    include(CheckLanguage)
    if(NOT CMAKE_CUDA_COMPILER AND CUDAToolkit_NVCC_EXECUTABLE)
        set(CMAKE_CUDA_COMPILER ${CUDAToolkit_NVCC_EXECUTABLE})
    endif()
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER AND TARGET CUDA::cublas)
        set(DOPPLER_CUDA_BUILT ON)
    elseif(DOPPLER_CUDA STREQUAL "ON")
        message(FATAL_ERROR "DOPPLER_CUDA is ON, but the toolkit lacks nvcc or cuBLAS")
    endif()
endif()
if(DOPPLER_CUDA_BUILT)
    message(STATUS "CUDA toolkit: ${CUDAToolkit_VERSION}")
    enable_language(CUDA)
    # Only the kernels are nvcc's; they see no header of ours but their own.
    add_library(doppler_cuda_kernels STATIC engine/cuda/CudaLaunch.cu)
    target_include_directories(doppler_cuda_kernels PRIVATE ${CMAKE_SOURCE_DIR})
    set_target_properties(doppler_cuda_kernels PROPERTIES CUDA_STANDARD 17
                          CUDA_RUNTIME_LIBRARY Static CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
    target_link_libraries(doppler_core PRIVATE doppler_cuda_kernels)
    # The static runtime: a program built with CUDA also starts where there is none. cuBLAS and NCCL
    # are loaded when they are first needed.
    target_link_libraries(doppler_core PRIVATE $<LINK_ONLY:CUDA::cudart_static>)
    file(GLOB DOPPLER_CUDA_SOURCES CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
         engine/cuda/*.cpp)
    list(FILTER DOPPLER_CUDA_SOURCES EXCLUDE REGEX "/(No|Gpu(Shapes|Program))[A-Za-z]*[.]cpp$")
    foreach(FILE ${DOPPLER_CUDA_SOURCES})
        doppler_engine_source(${FILE} ${CUDAToolkit_INCLUDE_DIRS})
    endforeach()
    get_target_property(DOPPLER_CUBLAS_PATH CUDA::cublas IMPORTED_LOCATION)
    set(CUDA_DEFINITIONS DOPPLER_CUBLAS_PATH="${DOPPLER_CUBLAS_PATH}"
        DOPPLER_CUBLAS_NAME="libcublas.so.${CUDAToolkit_VERSION_MAJOR}")
    find_path(DOPPLER_NCCL_INCLUDE nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
    find_library(DOPPLER_NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR} PATH_SUFFIXES lib lib64)
    if(DOPPLER_NCCL_INCLUDE AND DOPPLER_NCCL_LIBRARY)
        message(STATUS "NCCL: ${DOPPLER_NCCL_LIBRARY}")
        list(APPEND CUDA_DEFINITIONS DOPPLER_HAS_NCCL DOPPLER_NCCL_PATH="${DOPPLER_NCCL_LIBRARY}")
    endif()
    set_property(SOURCE ${DOPPLER_CUDA_SOURCES} PROPERTY COMPILE_DEFINITIONS ${CUDA_DEFINITIONS})
else()
    doppler_engine_source(engine/cuda/NoGpuDevices.cpp)
    doppler_engine_source(engine/cuda/NoCudaRuntime.cpp)
endif()
set(DOPPLER_CUDA_BUILT ${DOPPLER_CUDA_BUILT} CACHE INTERNAL "")
set(DOPPLER_CUDA_INCLUDE_DIRS ${CUDAToolkit_INCLUDE_DIRS} CACHE INTERNAL "")
# What is asked of a GPU: no CUDA in it, tested everywhere.
doppler_engine_source(engine/cuda/GpuShapes.cpp)
doppler_engine_source(engine/cuda/GpuProgram.cpp)
