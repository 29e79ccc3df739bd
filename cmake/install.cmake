# What `cmake --install` puts where, and the package that find_package(ggsnn) finds: installed, or in the build
# folder as it stands. The rooms of ggsnn_rooms are exported; the program, if it was built, comes along with the
# C programs that `reproduce programs` verifies.
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/ggsnn")
set(ggsnn_components ${ggsnn_rooms})
list(TRANSFORM ggsnn_components REPLACE "^ggsnn_" "")

install(TARGETS ${ggsnn_rooms} EXPORT ggsnn ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Headers that only our own sources can include, with LLVM or for one instruction set, stay here.
foreach(room IN LISTS ggsnn_components)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/src/${room}/*.hpp
       ${PROJECT_SOURCE_DIR}/src/${room}/*.h)
  list(FILTER headers EXCLUDE REGEX "_simd[.]hpp$")
  foreach(header IN LISTS headers)
    file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} inner REGEX "^#include <llvm/")
    cmake_path(GET header PARENT_PATH folder)
    if(NOT inner)
      install(FILES ${PROJECT_SOURCE_DIR}/src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ggsnn/${folder})
    endif()
  endforeach()
endforeach()
if(TARGET ggsnn_cli)
  install(TARGETS ggsnn_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/programs DESTINATION ${CMAKE_INSTALL_DATADIR}/ggsnn)
endif()

set(ggsnn_with_mpi FALSE)
if(GGSNN_MPI AND MPI_CXX_FOUND)
  set(ggsnn_with_mpi TRUE)
endif()
set(ggsnn_llvm "")
if(ggsnn_READS_C)
  set(ggsnn_llvm "${GGSNN_LLVM_LIBRARY}")
endif()
set(ggsnn_z3 "")
if(ggsnn_HAS_Z3)
  set(ggsnn_z3 "${GGSNN_Z3_LIBRARY}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/ggsnnConfig.cmake.in ${PROJECT_BINARY_DIR}/ggsnnConfig.cmake @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/ggsnnEmbed.cmake ${PROJECT_BINARY_DIR}/ggsnnEmbed.cmake COPYONLY)
# Before 1.0 a new minor version may break what was written for the last.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ggsnnConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ggsnnConfig.cmake ${PROJECT_BINARY_DIR}/ggsnnConfigVersion.cmake
              ${PROJECT_BINARY_DIR}/ggsnnEmbed.cmake
        DESTINATION ${package_folder})
install(EXPORT ggsnn NAMESPACE ggsnn:: FILE ggsnnTargets.cmake DESTINATION ${package_folder})
export(EXPORT ggsnn NAMESPACE ggsnn:: FILE ${PROJECT_BINARY_DIR}/ggsnnTargets.cmake)
