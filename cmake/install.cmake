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
  if(TARGET check_proof)
    install(TARGETS check_proof RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/programs DESTINATION ${CMAKE_INSTALL_DATADIR}/ggsnn)
  # Man pages and completions, written by the program itself.
  set(manual ${PROJECT_BINARY_DIR}/manual)
  file(MAKE_DIRECTORY ${manual}/man)
  add_custom_command(TARGET ggsnn_cli POST_BUILD VERBATIM
                     COMMAND $<TARGET_FILE:ggsnn_cli> manual man -o ${manual}/man
                     COMMAND $<TARGET_FILE:ggsnn_cli> manual bash > ${manual}/ggsnn
                     COMMAND $<TARGET_FILE:ggsnn_cli> manual zsh > ${manual}/_ggsnn
                     COMMAND $<TARGET_FILE:ggsnn_cli> manual fish > ${manual}/ggsnn.fish)
  install(DIRECTORY ${manual}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${manual}/ggsnn DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${manual}/_ggsnn DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES ${manual}/ggsnn.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
if(GGSNN_PYTHON)
  # Where Debian's Python looks under /usr; under another prefix PYTHONPATH has to name it.
  set(GGSNN_PYTHON_SITE "lib/python3/dist-packages" CACHE STRING "Folder of Python packages, from the prefix")
  install(DIRECTORY ${PROJECT_BINARY_DIR}/python/ggsnn DESTINATION ${GGSNN_PYTHON_SITE} PATTERN __pycache__ EXCLUDE
          PATTERN "*.so" EXCLUDE)
  # As targets, without the folders in which the build found libraries: by those dpkg-shlibdeps would find LLVM's in its
  # package for developers, and name none.
  install(TARGETS _core _logic LIBRARY DESTINATION ${GGSNN_PYTHON_SITE}/ggsnn)
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

# A Debian package of all of it: cpack -G DEB. What it needs is found out by dpkg-shlibdeps; clang reads C for it,
# and the rest is for those who use the library or the module.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ggsnn)
set(CPACK_PACKAGE_CONTACT "the ggsnn developers <ggsnn@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "gated graph neural networks, and proofs of memory safety")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-19, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, libfmt-dev, zlib1g-dev, nlohmann-json3-dev, libhwy-dev, llvm-19-dev, python3-sklearn")
include(CPack)
