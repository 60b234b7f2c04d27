/** Names under which code is loaded from outside a tree. A new file of such a name is loaded in its place. */

const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''));

/** Modules of Python itself, of all supported versions. Some are loaded only when a test fails. */
export const PYTHON_MODULES = list(`
__future__ _abc _aix_support _android_support _apple_support _ast _ast_unparse _asyncio _bisect _blake2 _bootsubprocess _bz2 _codecs _codecs_cn
_codecs_hk _codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw _collections _collections_abc _colorize _compat_pickle _compression _contextvars _crypt
_csv _ctypes _curses _curses_panel _datetime _dbm _decimal _elementtree _frozen_importlib _frozen_importlib_external _functools _gdbm _hacl _hashlib
_heapq _imp _interpchannels _interpqueues _interpreters _io _ios_support _json _locale _lsprof _lzma _markupbase _md5 _missing_stdlib_info _msi
_multibytecodec _multiprocessing _opcode _opcode_metadata _operator _osx_support _overlapped _pickle _posixshmem _posixsubprocess _py_abc _py_warnings
_pyatomic _pydecimal _pyio _pylong _pyrepl _queue _random _remote_debugging _scproxy _sha1 _sha2 _sha256 _sha3 _sha512 _signal _sitebuiltins _socket
_sqlite3 _sre _ssl _stat _statistics _string _strptime _struct _suggestions _symtable _sysconfig _testcapi _thread _threading_local _tkinter _tokenize
_tracemalloc _types _typing _uuid _warnings _weakref _weakrefset _winapi _zoneinfo _zstd abc aifc annotationlib antigravity argparse array ast
asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop
collections colorsys compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime
dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools
gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress
itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing
netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib
poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource
rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile
sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib
tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing
unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib
zoneinfo
`);

/** Parts of test tools; some are loaded only when a test fails. */
export const PYTHON_TEST_MODULES = list(`
_pytest coverage exceptiongroup execnet hypothesis iniconfig nose nose2 pkg_resources pluggy pygments pytest setuptools tomli xdist
`);

/** Headers of C and C++ and of their test libraries, without the ending. */
export const HEADERS = list(`
acutest algorithm assert cassert catch catch2 cctype cerrno cfloat climits clocale cmath cmocka complex criterion csetjmp csignal cstdarg
cstddef cstdint cstdio cstdlib cstring ctime ctype cunit cwchar doctest errno exception fenv float fstream functional gmock greatest gtest inttypes
iostream iso646 limits locale map math memory minunit munit set setjmp signal sstream stdalign stdarg stdatomic stdbit stdbool stdckdint stddef
stdexcept stdint stdio stdlib stdnoreturn string strings tgmath threads time uchar unistd unity unity_fixture unity_internals utest utility vector
wchar wctype
`);

/** Programs that tests and build files call by name. */
export const PROGRAMS = list(`
ant ar as ash ava awk basename bash bats bun bundle c++ c8 cargo cargo-nextest cat cc chmod clang clang++ cmake cmp comm corepack coverage cp ctest
curl cut dash date deno diff dirname dotnet echo egrep env expr false fgrep find g++ gawk gcc gdb git gmake go gofmt gotestsum gradle grep gzip head
hg java javac jest jq kill ksh ld ln ls make mawk meson mkdir mktemp mocha mv mvn ninja nm node nodejs nox npm npx nyc objdump patch perl php phpunit
pip pip3 pnpm poetry printf prove py.test pytest python python2 python3 rake readlink realpath rm rspec ruby rustc rustdoc rustup sed seq sh
shellcheck shellspec sleep sort stat strip tail tap tar tee test timeout touch tox tr true ts-node tsc tsx uniq unzip uv valgrind vitest wc wget xargs
yarn yes zsh
`);
