import { settingsRules } from './rule.ts';

export const C_SETTINGS = settingsRules('c', [
  { what: 'CMake settings', files: ['CMakePresets.json', 'CMakeUserPresets.json'] },
  { what: 'configured build', files: ['CMakeCache.txt', 'CTestTestfile.cmake', 'build.ninja'], planted: 'anywhere' },
  {
    what: 'CTest settings',
    files: ['CTestCustom.cmake*', 'CTestCustom.ctest', 'CTestConfig.cmake', 'DartConfiguration.tcl'],
  },
  { what: 'CMake build file', files: ['CMakeLists.txt', '*.cmake', '*.cmake.in'] },
  { what: 'Meson build file', files: ['meson.build', 'meson_options.txt', 'meson.options', '*.wrap'] },
  {
    what: 'Autotools build file',
    files: ['configure', 'configure.ac', 'configure.in', 'Makefile.am', 'Makefile.in', 'aclocal.m4', 'config.site'],
  },
  {
    what: 'Bazel build file',
    files: ['BUILD', 'BUILD.bazel', 'WORKSPACE', 'WORKSPACE.bazel', 'MODULE.bazel', '.bazelrc', '*.bzl'],
  },
  { what: 'build file', files: ['SConstruct', 'SConscript', 'wscript', 'premake5.lua', 'xmake.lua', 'build.zig'] },
  { what: 'debugger or checker settings', files: ['.gdbinit', '.lldbinit', '.valgrindrc', '.ctestrc', 'tup.config'] },
  { what: 'compiler settings', files: ['compile_flags.txt', '*.specs', '*.rsp'], planted: 'looked_for' },
]);
