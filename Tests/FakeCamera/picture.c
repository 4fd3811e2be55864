/* The test picture: a strip that shows the frame counter, eight grey bars, eight colour bars; or
 * noise or the colour chart below the strip. */
#include "fakecamera.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t greys[FC_BARS] = {0, 16, 64, 128, 192, 235, 250, 255};
static const uint8_t colors[FC_BARS][3] = {{255, 255, 255}, {255, 255, 0}, {0, 255, 255}, {0, 255, 0},
                                           {255, 0, 255},   {255, 0, 0},   {0, 0, 255},   {0, 0, 0}};

static uint8_t rounded(double value) {
  return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)floor(value + 0.5);
}

void fc_convert(struct fc_paint paint, const uint8_t rgb[3], uint8_t yuv[3]) {
  double kr = paint.bt709 ? 0.2126 : 0.299, kb = paint.bt709 ? 0.0722 : 0.114;
  double luma = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2];
  double cb = (rgb[2] - luma) / (2 * (1 - kb)), cr = (rgb[0] - luma) / (2 * (1 - kr));
  yuv[0] = rounded(paint.full ? luma : 16 + luma * 219 / 255);
  yuv[1] = rounded(128 + (paint.full ? cb : cb * 224 / 255));
  yuv[2] = rounded(128 + (paint.full ? cr : cr * 224 / 255));
}

/* What the driver's colour fields mean for the samples of this format (V4L2's own defaulting rules). */
struct fc_paint fc_paint_of(uint32_t fourcc, const struct fc_color *color) {
  struct fc_paint paint = {.full = false, .bt709 = false};
  if (fourcc == V4L2_PIX_FMT_MJPEG || fourcc == V4L2_PIX_FMT_JPEG) {
    paint.full = !color->jpeg_limited; /* JPEG is full range and BT.601 whatever the driver says */
    return paint;
  }
  if (color->quantization == V4L2_QUANTIZATION_DEFAULT)
    paint.full = color->colorspace == V4L2_COLORSPACE_JPEG;
  else
    paint.full = color->quantization == V4L2_QUANTIZATION_FULL_RANGE;
  uint32_t matrix = color->ycbcr;
  if (matrix == V4L2_YCBCR_ENC_DEFAULT) matrix = V4L2_MAP_YCBCR_ENC_DEFAULT(color->colorspace);
  paint.bt709 = matrix == V4L2_YCBCR_ENC_709 || matrix == V4L2_YCBCR_ENC_XV709;
  return paint;
}

struct fc_row *fc_row_new(uint32_t width) {
  struct fc_row *row = malloc(sizeof *row);
  uint8_t *samples = calloc(6, width + 2); /* two more: packers of odd widths look one pixel ahead */
  if (!row || !samples) fc_fail("out of memory for a row of %u pixels", width);
  uint8_t **planes[6] = {&row->r, &row->g, &row->b, &row->y, &row->u, &row->v};
  for (int i = 0; i < 6; i++) *planes[i] = samples + (size_t)i * (width + 2);
  return row;
}

void fc_row_free(struct fc_row *row) {
  if (!row) return;
  free(row->r);
  free(row);
}

void fc_span(struct fc_row *row, uint32_t from, uint32_t to, const uint8_t rgb[3], struct fc_paint paint) {
  uint8_t yuv[3];
  fc_convert(paint, rgb, yuv);
  uint8_t *planes[6] = {row->r, row->g, row->b, row->y, row->u, row->v};
  for (int i = 0; i < 6; i++) memset(planes[i] + from, i < 3 ? rgb[i] : yuv[i - 3], to - from);
}

/* 24 bits of counter and 8 of check, most significant first, white for 1. */
void fc_strip_row(struct fc_row *row, uint32_t width, uint32_t counter, struct fc_paint paint) {
  static const uint8_t white[3] = {255, 255, 255}, black[3] = {0, 0, 0};
  uint32_t check = ((counter >> 16) ^ (counter >> 8) ^ counter ^ 0xA5) & 0xFF;
  uint32_t bits = (counter & 0xFFFFFF) << 8 | check;
  for (uint32_t cell = 0; cell < 32; cell++) {
    bool set = bits >> (31 - cell) & 1;
    fc_span(row, cell * width / 32, (cell + 1) * width / 32, set ? white : black, paint);
  }
}

static void bar_row(struct fc_row *row, uint32_t width, bool color, struct fc_paint paint) {
  for (uint32_t bar = 0; bar < FC_BARS; bar++) {
    uint8_t grey[3] = {greys[bar], greys[bar], greys[bar]};
    fc_span(row, bar * width / FC_BARS, (bar + 1) * width / FC_BARS, color ? colors[bar] : grey, paint);
  }
}

/* Noise that an encoder cannot predict: the grey bars with a wide random swing on each pixel. */
static void noise_row(struct fc_row *row, uint32_t width, uint32_t *state, struct fc_paint paint) {
  for (uint32_t x = 0; x < width; x++) {
    *state = *state * 1664525 + 1013904223;
    int swing = (int)(*state >> 24) % 40 - 20;
    int base = 40 + (int)(176 * x / width) + swing;
    uint8_t grey[3] = {(uint8_t)base, (uint8_t)base, (uint8_t)base};
    fc_span(row, x, x + 1, grey, paint);
  }
}

/* First row of the colour bars. */
static uint32_t colors_from(uint32_t height) {
  uint32_t middle = (FC_STRIP_ROWS + height) / 2 / 16 * 16;
  return middle < FC_STRIP_ROWS ? FC_STRIP_ROWS : middle;
}

/* A row below the strip; those of noise have to be made in order. */
void fc_still_row(struct fc_still *still, struct fc_row *row, uint32_t y) {
  switch (still->picture) {
    case FC_PICTURE_BARS: bar_row(row, still->width, y >= colors_from(still->height), still->paint); break;
    case FC_PICTURE_NOISE: noise_row(row, still->width, &still->seed, still->paint); break;
    case FC_PICTURE_RAMP: fc_chart_row(row, still->width, still->height, y, still->paint); break;
  }
}
