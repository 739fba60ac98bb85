#if __has_include(<zlib.h>)
#include <zlib.h>
#else
#error "zlib.h is missing: install libz-dev (Debian, Ubuntu), zlib-devel (Fedora) or Apple's command line tools (xcode-select --install)"
#endif
