// What PyramidTiles uses of zlib, as macOS and iOS have it (1.2.12).
#include <stddef.h>
#define ZLIB_VERSION "1.2.12"
#define MAX_WBITS 15
#define Z_DEFLATED 8
#define Z_DEFAULT_STRATEGY 0
#define Z_NO_FLUSH 0
#define Z_FINISH 4
#define Z_OK 0
#define Z_STREAM_END 1
#define Z_BUF_ERROR (-5)
typedef unsigned long uLong;
typedef unsigned int uInt;
typedef unsigned char Bytef;
typedef long z_off_t;
typedef size_t z_size_t;
typedef struct z_stream_s {
    Bytef *next_in;
    uInt avail_in;
    uLong total_in;
    Bytef *next_out;
    uInt avail_out;
    uLong total_out;
    char *msg;
    struct internal_state *state;
    void *(*zalloc)(void *, uInt, uInt);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    uLong adler, reserved;
} z_stream;
typedef z_stream *z_streamp;
const char *zlibVersion(void);
uLong crc32(uLong, const Bytef *, uInt);
uLong crc32_z(uLong, const Bytef *, z_size_t);
uLong crc32_combine(uLong, uLong, z_off_t);
int deflateInit2_(z_streamp, int, int, int, int, int, const char *, int);
int deflateReset(z_streamp);
int deflate(z_streamp, int);
int deflateEnd(z_streamp);
uLong deflateBound(z_streamp, uLong);
int inflateInit2_(z_streamp, int, const char *, int);
int inflateReset(z_streamp);
int inflate(z_streamp, int);
int inflateEnd(z_streamp);
