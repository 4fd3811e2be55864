/* Motion JPEG at almost no cost: the still part is coded once with a restart marker after each row of blocks, and each
 * frame gets only a freshly coded counter strip spliced in front of it. */
#include "fakecamera.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#define QUALITY 95
#define NOISE_QUALITY 72
#define RAMP_QUALITY 100 /* at which a block of one colour comes back exactly */

struct fc_jpeg {
  uint32_t width, height, band; /* band: rows of one line of blocks */
  bool subsampled;              /* 4:2:0, not 4:2:2 */
  struct fc_paint paint;
  struct fc_row *strip;
  int quality;
  unsigned variants;
  uint8_t *head[FC_VARIANTS], *tail[FC_VARIANTS]; /* up to the first coded byte, and from the strip's end */
  size_t head_size, tail_size[FC_VARIANTS];
};

typedef void row_maker(void *context, struct fc_row *row, uint32_t y);

static void set_up(struct jpeg_compress_struct *coder, const struct fc_jpeg *jpeg, uint32_t height) {
  coder->image_width = jpeg->width;
  coder->image_height = height;
  coder->input_components = 3;
  coder->in_color_space = JCS_YCbCr;
  jpeg_set_defaults(coder);
  jpeg_set_quality(coder, jpeg->quality, TRUE);
  coder->raw_data_in = TRUE;
  coder->dct_method = JDCT_ISLOW;
  coder->comp_info[0].h_samp_factor = 2;
  coder->comp_info[0].v_samp_factor = jpeg->subsampled ? 2 : 1;
  coder->restart_in_rows = 1;
}

/* One band of samples: luma rows, and chroma rows at half width. The last column is repeated up to the block's edge. */
static void fill_band(const struct fc_jpeg *jpeg, JSAMPARRAY planes[3], uint32_t wide, uint32_t from, uint32_t height,
                      row_maker *make, void *context, struct fc_row *row) {
  for (uint32_t line = 0; line < jpeg->band; line++) {
    uint32_t y = from + line < height ? from + line : height - 1;
    make(context, row, y);
    memcpy(planes[0][line], row->y, jpeg->width);
    memset(planes[0][line] + jpeg->width, row->y[jpeg->width - 1], wide - jpeg->width);
    if (jpeg->subsampled && line % 2) continue;
    uint32_t chroma = jpeg->subsampled ? line / 2 : line;
    for (uint32_t x = 0; x < wide / 2; x++) {
      uint32_t source = 2 * x < jpeg->width ? 2 * x : jpeg->width - 1;
      planes[1][chroma][x] = row->u[source];
      planes[2][chroma][x] = row->v[source];
    }
  }
}

static void make_planes(JSAMPARRAY planes[3], JSAMPROW rows[3][16], uint8_t *memory, uint32_t wide) {
  for (int i = 0; i < 3; i++) {
    planes[i] = rows[i];
    for (int line = 0; line < 16; line++) rows[i][line] = memory + ((size_t)i * 16 + (size_t)line) * wide;
  }
}

static uint8_t *encode(const struct fc_jpeg *jpeg, uint32_t height, row_maker *make, void *context, size_t *size) {
  struct jpeg_compress_struct coder;
  struct jpeg_error_mgr errors;
  unsigned char *out = NULL;
  unsigned long length = 0;
  uint32_t wide = (jpeg->width + 15) / 16 * 16;
  uint8_t *memory = malloc((size_t)wide * 48);
  struct fc_row *row = fc_row_new(jpeg->width);
  JSAMPROW rows[3][16];
  JSAMPARRAY planes[3];
  if (!memory) fc_fail("out of memory for a JPEG");
  make_planes(planes, rows, memory, wide);
  coder.err = jpeg_std_error(&errors);
  jpeg_create_compress(&coder);
  jpeg_mem_dest(&coder, &out, &length);
  set_up(&coder, jpeg, height);
  jpeg_start_compress(&coder, TRUE);
  for (uint32_t y = 0; y < height; y += jpeg->band) {
    fill_band(jpeg, planes, wide, y, height, make, context, row);
    jpeg_write_raw_data(&coder, planes, jpeg->band);
  }
  jpeg_finish_compress(&coder);
  jpeg_destroy_compress(&coder);
  fc_row_free(row);
  free(memory);
  *size = length;
  return out;
}

/* First coded byte: behind the SOS header. */
static size_t scan_start(const uint8_t *bytes) {
  size_t at = 2;
  while (bytes[at + 1] != 0xDA) at += 2 + (size_t)(bytes[at + 2] << 8 | bytes[at + 3]);
  return at + 2 + (size_t)(bytes[at + 2] << 8 | bytes[at + 3]);
}

/* Where the `count`th restart marker begins; `size` when there are fewer (the strip is the whole picture). */
static size_t restart(const uint8_t *bytes, size_t size, uint32_t count) {
  for (size_t at = scan_start(bytes); at + 1 < size; at++)
    if (bytes[at] == 0xFF && bytes[at + 1] >= 0xD0 && bytes[at + 1] <= 0xD7 && --count == 0) return at;
  return size;
}

/* The rows that the strip will cover are encoded too, and cut off: any will do. */
static void still_row(void *context, struct fc_row *row, uint32_t y) {
  fc_still_row(context, row, y < FC_STRIP_ROWS ? FC_STRIP_ROWS : y);
}

static void strip_row(void *context, struct fc_row *row, uint32_t y) {
  (void)y;
  struct fc_jpeg *jpeg = context;
  uint8_t *from[3] = {jpeg->strip->y, jpeg->strip->u, jpeg->strip->v}, *to[3] = {row->y, row->u, row->v};
  for (int i = 0; i < 3; i++) memcpy(to[i], from[i], jpeg->width);
}

static void prepare(struct fc_jpeg *jpeg, unsigned variant, enum fc_picture picture) {
  struct fc_still still = {picture, jpeg->width, jpeg->height, variant + 1, jpeg->paint};
  size_t size;
  uint8_t *bytes = encode(jpeg, jpeg->height, still_row, &still, &size);
  size_t from = restart(bytes, size, FC_STRIP_ROWS / jpeg->band);
  jpeg->head_size = scan_start(bytes);
  jpeg->head[variant] = bytes;
  jpeg->tail[variant] = bytes + from;
  jpeg->tail_size[variant] = size - from;
}

struct fc_jpeg *fc_jpeg_new(const struct fc_mode *mode, const struct fc_color *color, enum fc_picture picture) {
  struct fc_jpeg *jpeg = calloc(1, sizeof *jpeg);
  if (!jpeg) fc_fail("out of memory for a JPEG");
  jpeg->width = mode->width, jpeg->height = mode->height;
  jpeg->subsampled = color->jpeg_420;
  jpeg->band = jpeg->subsampled ? 16 : 8;
  jpeg->paint = fc_paint_of(V4L2_PIX_FMT_MJPEG, color);
  jpeg->strip = fc_row_new(mode->width);
  jpeg->quality = picture == FC_PICTURE_NOISE ? NOISE_QUALITY : picture == FC_PICTURE_RAMP ? RAMP_QUALITY : QUALITY;
  jpeg->variants = picture == FC_PICTURE_NOISE ? FC_VARIANTS : 1;
  for (unsigned i = 0; i < jpeg->variants; i++) prepare(jpeg, i, picture);
  return jpeg;
}

size_t fc_jpeg_fill(struct fc_jpeg *jpeg, uint8_t *out, size_t room, uint32_t counter) {
  unsigned variant = counter % jpeg->variants;
  uint32_t rows = jpeg->height < FC_STRIP_ROWS ? jpeg->height : FC_STRIP_ROWS;
  size_t size;
  fc_strip_row(jpeg->strip, jpeg->width, counter, jpeg->paint);
  uint8_t *strip = encode(jpeg, rows, strip_row, jpeg, &size);
  size_t begin = scan_start(strip), tail = jpeg->tail_size[variant];
  size_t coded = size - begin - (tail ? 2 : 0); /* without its end marker when a tail follows */
  size_t total = jpeg->head_size + coded + tail;
  if (total <= room) {
    memcpy(out, jpeg->head[variant], jpeg->head_size);
    memcpy(out + jpeg->head_size, strip + begin, coded);
    memcpy(out + jpeg->head_size + coded, jpeg->tail[variant], tail);
  }
  free(strip);
  return total <= room ? total : 0;
}

void fc_jpeg_free(struct fc_jpeg *jpeg) {
  for (unsigned i = 0; i < jpeg->variants; i++) free(jpeg->head[i]);
  fc_row_free(jpeg->strip);
  free(jpeg);
}
