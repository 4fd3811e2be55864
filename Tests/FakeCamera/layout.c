/* How one row of the picture lies in memory, for each raw pixel format. */
#include "fakecamera.h"

#include <string.h>

enum shape { PACKED_422, PLANAR, SEMI, GREY, GREY16, RGB, RGB565, BAYER8, BAYER16, P411 };

/* `order`: byte places of Y0 U Y1 V, or of R G B in a pixel; for planar formats whether V comes first. */
static const struct layout {
  uint32_t fourcc;
  enum shape shape;
  uint8_t order[4];
  uint8_t down; /* vertical chroma subsampling, or bytes in an RGB pixel */
} layouts[] = {
    {V4L2_PIX_FMT_YUYV, PACKED_422, {0, 1, 2, 3}, 0},
    {V4L2_PIX_FMT_YVYU, PACKED_422, {0, 3, 2, 1}, 0},
    {V4L2_PIX_FMT_UYVY, PACKED_422, {1, 0, 3, 2}, 0},
    {V4L2_PIX_FMT_VYUY, PACKED_422, {1, 2, 3, 0}, 0},
    {V4L2_PIX_FMT_YUV420, PLANAR, {0}, 2},
    {V4L2_PIX_FMT_YVU420, PLANAR, {1}, 2},
    {V4L2_PIX_FMT_YUV422P, PLANAR, {0}, 1},
    {V4L2_PIX_FMT_YUV411P, P411, {0}, 1},
    {V4L2_PIX_FMT_NV12, SEMI, {0}, 2},
    {V4L2_PIX_FMT_NV21, SEMI, {1}, 2},
    {V4L2_PIX_FMT_NV16, SEMI, {0}, 1},
    {V4L2_PIX_FMT_NV61, SEMI, {1}, 1},
    {V4L2_PIX_FMT_NV12M, SEMI, {0}, 2},
    {V4L2_PIX_FMT_NV21M, SEMI, {1}, 2},
    {V4L2_PIX_FMT_GREY, GREY, {0}, 0},
    {V4L2_PIX_FMT_Y16, GREY16, {0}, 0},
    {V4L2_PIX_FMT_Z16, GREY16, {0}, 0},
    {v4l2_fourcc('Y', '8', 'I', ' '), GREY16, {0}, 0},
    {V4L2_PIX_FMT_RGB24, RGB, {0, 1, 2}, 3},
    {V4L2_PIX_FMT_BGR24, RGB, {2, 1, 0}, 3},
    {V4L2_PIX_FMT_RGBX32, RGB, {0, 1, 2}, 4},
    {V4L2_PIX_FMT_BGRX32, RGB, {3, 2, 1}, 4}, /* 'RX24': x B G R in memory */
    {V4L2_PIX_FMT_XBGR32, RGB, {2, 1, 0}, 4}, /* 'XR24': B G R x in memory */
    {V4L2_PIX_FMT_RGB565, RGB565, {0}, 2},
    {V4L2_PIX_FMT_SRGGB8, BAYER8, {0, 1, 1, 2}, 0},
    {V4L2_PIX_FMT_SBGGR8, BAYER8, {2, 1, 1, 0}, 0},
    {V4L2_PIX_FMT_SGRBG8, BAYER8, {1, 0, 2, 1}, 0},
    {V4L2_PIX_FMT_SGBRG8, BAYER8, {1, 2, 0, 1}, 0},
    {V4L2_PIX_FMT_SRGGB10, BAYER16, {0, 1, 1, 2}, 0},
};

static const struct layout *find(uint32_t fourcc) {
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
    if (layouts[i].fourcc == fourcc) return &layouts[i];
  return NULL;
}

static void size_planes(const struct layout *layout, struct fc_mode *mode) {
  uint32_t width = mode->width, height = mode->height, even = (width + 1) / 2 * 2;
  uint32_t half = layout->down ? (height + layout->down - 1) / layout->down : 0;
  switch (layout->shape) {
    case PACKED_422: mode->stride[0] = even * 2; break;
    case GREY16: case RGB565: case BAYER16: mode->stride[0] = width * 2; break;
    case RGB: mode->stride[0] = width * layout->down; break;
    default: mode->stride[0] = width; break;
  }
  mode->bytes[0] = mode->stride[0] * height;
  if (layout->shape == PLANAR) mode->bytes[0] += even / 2 * half * 2;
  if (layout->shape == P411) mode->bytes[0] += (width + 3) / 4 * height * 2;
  if (layout->shape != SEMI) return;
  bool apart = layout->fourcc == V4L2_PIX_FMT_NV12M || layout->fourcc == V4L2_PIX_FMT_NV21M;
  mode->planes = apart ? 2 : 1;
  mode->stride[1] = even;
  if (apart) mode->bytes[1] = even * half;
  else mode->bytes[0] += even * half;
}

/* Fills strides and sizes of `mode`; false for a format whose layout is unknown here (compressed ones too). */
bool fc_layout(uint32_t fourcc, struct fc_mode *mode) {
  const struct layout *layout = find(fourcc);
  mode->planes = 1;
  mode->stride[0] = mode->stride[1] = mode->bytes[1] = 0;
  mode->bytes[0] = mode->width * mode->height * 2;
  if (layout) size_planes(layout, mode);
  return layout != NULL;
}

static uint8_t mean(const uint8_t *samples, uint32_t x, uint32_t width) {
  return x + 1 < width ? (uint8_t)((samples[x] + samples[x + 1] + 1) / 2) : samples[x];
}

static void pack_422(uint8_t *line, const struct fc_row *row, uint32_t width, const uint8_t order[4]) {
  for (uint32_t x = 0; x < width; x += 2, line += 4) {
    line[order[0]] = row->y[x];
    line[order[1]] = mean(row->u, x, width);
    line[order[2]] = row->y[x + 1 < width ? x + 1 : x];
    line[order[3]] = mean(row->v, x, width);
  }
}

static void pack_chroma(const struct layout *layout, const struct fc_mode *mode, uint8_t *const planes[],
                        const struct fc_row *row, uint32_t y) {
  if (y % layout->down) return;
  uint32_t width = mode->width, half = (width + 1) / 2, line = y / layout->down;
  uint32_t lines = (mode->height + layout->down - 1) / layout->down;
  uint8_t *base = planes[0] + (size_t)mode->stride[0] * mode->height;
  if (layout->shape == SEMI) {
    uint8_t *out = (mode->planes == 2 ? planes[1] : base) + (size_t)line * half * 2;
    for (uint32_t x = 0; x < half; x++) {
      out[2 * x + layout->order[0]] = mean(row->u, 2 * x, width);
      out[2 * x + 1 - layout->order[0]] = mean(row->v, 2 * x, width);
    }
    return;
  }
  uint32_t wide = layout->shape == P411 ? (width + 3) / 4 : half, step = layout->shape == P411 ? 4 : 2;
  uint8_t *first = base + (size_t)line * wide, *second = first + (size_t)wide * lines;
  const uint8_t *a = layout->order[0] ? row->v : row->u, *b = layout->order[0] ? row->u : row->v;
  for (uint32_t x = 0; x < wide; x++) {
    first[x] = mean(a, x * step, width);
    second[x] = mean(b, x * step, width);
  }
}

static void pack_rgb(const struct layout *layout, uint8_t *line, const struct fc_row *row, uint32_t width) {
  const uint8_t *order = layout->order;
  for (uint32_t x = 0; x < width; x++, line += layout->down) {
    if (layout->shape == RGB565) {
      uint16_t pixel = (uint16_t)((row->r[x] >> 3) << 11 | (row->g[x] >> 2) << 5 | row->b[x] >> 3);
      line[0] = (uint8_t)pixel, line[1] = (uint8_t)(pixel >> 8);
      continue;
    }
    line[order[0]] = row->r[x], line[order[1]] = row->g[x], line[order[2]] = row->b[x];
  }
}

static void pack_bayer(const struct layout *layout, uint8_t *line, const struct fc_row *row, uint32_t width, uint32_t y) {
  const uint8_t *planes[3] = {row->r, row->g, row->b};
  for (uint32_t x = 0; x < width; x++) {
    uint8_t sample = planes[layout->order[y % 2 * 2 + x % 2]][x];
    if (layout->shape == BAYER8) {
      line[x] = sample;
      continue;
    }
    uint16_t ten = (uint16_t)(sample << 2 | sample >> 6);
    line[2 * x] = (uint8_t)ten, line[2 * x + 1] = (uint8_t)(ten >> 8);
  }
}

void fc_pack_row(const struct fc_mode *mode, uint8_t *const planes[], const struct fc_row *row, uint32_t y) {
  const struct layout *layout = find(mode->format->fourcc);
  uint8_t *line = planes[0] + (size_t)mode->stride[0] * y;
  if (!layout) return;
  switch (layout->shape) {
    case PACKED_422: pack_422(line, row, mode->width, layout->order); return;
    case RGB: case RGB565: pack_rgb(layout, line, row, mode->width); return;
    case BAYER8: case BAYER16: pack_bayer(layout, line, row, mode->width, y); return;
    case GREY16:
      for (uint32_t x = 0; x < mode->width; x++) line[2 * x] = line[2 * x + 1] = row->y[x];
      return;
    case PLANAR: case SEMI: case P411: pack_chroma(layout, mode, planes, row, y); /* fall through */
    case GREY: memcpy(line, row->y, mode->width); return;
  }
}
