/* H.264 as a camera with an encoder of its own sends it: byte stream, SPS and PPS before each IDR, a key frame a second. */
#include "fakecamera.h"

#include <stdlib.h>
#include <string.h>

#include <x264.h>

struct fc_h264 {
  x264_t *encoder;
  x264_picture_t picture;
  uint32_t width, height;
  struct fc_paint paint;
  struct fc_row *row;
  struct fc_still still;
};

static void tag(x264_param_t *settings, struct fc_paint paint) {
  settings->vui.b_fullrange = paint.full;
  settings->vui.i_colorprim = 1;
  settings->vui.i_transfer = 1;
  settings->vui.i_colmatrix = paint.bt709 ? 1 : 6;
}

static void fill_rows(struct fc_h264 *coder, uint32_t from, uint32_t to) {
  uint8_t *const *planes = coder->picture.img.plane;
  const int *strides = coder->picture.img.i_stride;
  const struct fc_row *row = coder->row;
  for (uint32_t y = from; y < to; y++) {
    memcpy(planes[0] + (size_t)strides[0] * y, row->y, coder->width);
    if (y % 2) continue;
    for (uint32_t x = 0; x < coder->width / 2; x++) {
      planes[1][(size_t)strides[1] * (y / 2) + x] = row->u[2 * x];
      planes[2][(size_t)strides[2] * (y / 2) + x] = row->v[2 * x];
    }
  }
}

static void paint_still(struct fc_h264 *coder) {
  for (uint32_t y = FC_STRIP_ROWS; y < coder->height; y++) {
    fc_still_row(&coder->still, coder->row, y);
    fill_rows(coder, y, y + 1);
  }
}

struct fc_h264 *fc_h264_new(const struct fc_mode *mode, const struct fc_color *color, enum fc_picture picture) {
  struct fc_h264 *coder = calloc(1, sizeof *coder);
  x264_param_t settings;
  if (!coder || x264_param_default_preset(&settings, "ultrafast", "zerolatency") < 0) fc_fail("x264 cannot start");
  coder->width = mode->width / 2 * 2, coder->height = mode->height / 2 * 2;
  coder->paint = fc_paint_of(V4L2_PIX_FMT_H264, color);
  coder->row = fc_row_new(mode->width);
  coder->still = (struct fc_still){picture, coder->width, coder->height, 1, coder->paint};
  settings.i_width = (int)coder->width, settings.i_height = (int)coder->height;
  settings.i_csp = X264_CSP_I420;
  settings.i_fps_num = mode->interval.den, settings.i_fps_den = mode->interval.num;
  settings.i_keyint_max = (int)((mode->interval.den + mode->interval.num / 2) / mode->interval.num);
  settings.i_threads = 1;
  settings.i_log_level = X264_LOG_ERROR;
  settings.b_repeat_headers = settings.b_annexb = settings.b_aud = 1;
  settings.rc.i_rc_method = X264_RC_CRF;
  settings.rc.f_rf_constant = picture == FC_PICTURE_NOISE ? 30 : picture == FC_PICTURE_RAMP ? 1 : 12;
  tag(&settings, coder->paint);
  coder->encoder = x264_encoder_open(&settings);
  if (!coder->encoder || x264_picture_alloc(&coder->picture, X264_CSP_I420, settings.i_width, settings.i_height) < 0)
    fc_fail("x264 does not take %ux%u", coder->width, coder->height);
  paint_still(coder);
  return coder;
}

size_t fc_h264_fill(struct fc_h264 *coder, uint8_t *out, size_t room, uint32_t counter) {
  x264_picture_t coded;
  x264_nal_t *units;
  int count;
  if (coder->still.picture == FC_PICTURE_NOISE) paint_still(coder);
  fc_strip_row(coder->row, coder->width, counter, coder->paint);
  fill_rows(coder, 0, FC_STRIP_ROWS < coder->height ? FC_STRIP_ROWS : coder->height);
  coder->picture.i_pts = counter;
  int size = x264_encoder_encode(coder->encoder, &units, &count, &coder->picture, &coded);
  if (size <= 0 || (size_t)size > room) return 0;
  memcpy(out, units[0].p_payload, (size_t)size);
  return (size_t)size;
}

void fc_h264_free(struct fc_h264 *coder) {
  x264_picture_clean(&coder->picture);
  x264_encoder_close(coder->encoder);
  fc_row_free(coder->row);
  free(coder);
}
