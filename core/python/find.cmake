# VARVE_HAS_PYTHON: whether the Python package is built. It needs CPython's headers and nanobind, which
# scripts/python.sh puts into .deps/python, and pip where it finds it.
set(VARVE_PYTHON_TOOLS ${PROJECT_SOURCE_DIR}/.deps/python CACHE PATH
  "Where nanobind is looked for, besides the usual places")
if(NOT DEFINED Python_EXECUTABLE AND DEFINED Python3_EXECUTABLE)
  set(Python_EXECUTABLE ${Python3_EXECUTABLE})
endif()

set(VARVE_HAS_PYTHON ${VARVE_BUILD_PYTHON})
if(VARVE_BUILD_PYTHON STREQUAL AUTO)
  # With sanitizers, Python itself would have to be started with their libraries.
  set(VARVE_HAS_PYTHON OFF)
  if(EXISTS ${VARVE_PYTHON_TOOLS}/nanobind AND NOT VARVE_SANITIZE AND PROJECT_IS_TOP_LEVEL)
    set(VARVE_HAS_PYTHON ON)
  endif()
endif()
if(VARVE_HAS_PYTHON)
  find_package(Python 3.10 COMPONENTS Interpreter Development.Module
    OPTIONAL_COMPONENTS Development.SABIModule)
  set(headers ${Python_Development.Module_FOUND})
  varve_need("CPython 3.10 or newer, with headers," python3-dev python headers)
  find_package(nanobind CONFIG PATHS ${VARVE_PYTHON_TOOLS})
  varve_need("nanobind, which the Python package is built with," nanobind python nanobind_FOUND)
  set_property(GLOBAL APPEND PROPERTY VARVE_FEATURES "Python package: for CPython ${Python_VERSION}")
else()
  set_property(GLOBAL APPEND PROPERTY VARVE_FEATURES "Python package: none (scripts/setup.sh python)")
endif()
