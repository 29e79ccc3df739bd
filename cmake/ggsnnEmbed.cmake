# ggsnn_embed_model(TARGET FILE NAME): a model file as part of a program. The sources of TARGET may include
# "NAME.h", C or C++, which has the bytes as `NAME` and their number as `NAME_size`: for ggsnn_load_bytes, or
# decode_model. FILE may be what another command of the same build makes.
#
# Called as a script (cmake -DINPUT= -DOUTPUT= -DNAME= -P ggsnnEmbed.cmake), it writes that header.
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  file(READ "${INPUT}" bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  file(WRITE "${OUTPUT}" "#pragma once\n#include <stddef.h>\n\nstatic const size_t ${NAME}_size = ${size};\n"
       "static const unsigned char ${NAME}[${size}] = {\n${bytes}};\n")
  return()
endif()

set_property(GLOBAL PROPERTY ggsnn_embed_script "${CMAKE_CURRENT_LIST_FILE}")

function(ggsnn_embed_model target file name)
  get_property(script GLOBAL PROPERTY ggsnn_embed_script)
  get_filename_component(file "${file}" ABSOLUTE)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}_models")
  set(header "${folder}/${name}.h")
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT "${header}"
    COMMAND ${CMAKE_COMMAND} "-DINPUT=${file}" "-DOUTPUT=${header}" "-DNAME=${name}" -P "${script}"
    DEPENDS "${file}" "${script}"
    COMMENT "${name}.h of ${file}"
    VERBATIM)
  target_sources(${target} PRIVATE "${header}")
  target_include_directories(${target} PRIVATE "${folder}")
endfunction()
