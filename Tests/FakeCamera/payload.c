/* Fills a buffer with the frame of a given number: the still part once, the counter strip each time. */
#include "fakecamera.h"

#include <stdlib.h>
#include <string.h>

struct fc_payload {
  struct fc_mode mode;
  struct fc_paint paint;
  struct fc_row *strip;
  uint8_t *still[FC_VARIANTS][FC_MAX_PLANES];
  unsigned variants;
  struct fc_jpeg *jpeg;
  struct fc_h264 *h264;
};

static void paint_still(struct fc_payload *payload, unsigned variant, enum fc_picture picture) {
  const struct fc_mode *mode = &payload->mode;
  struct fc_still still = {picture, mode->width, mode->height, variant + 1, payload->paint};
  struct fc_row *row = fc_row_new(mode->width);
  for (unsigned plane = 0; plane < mode->planes; plane++) {
    payload->still[variant][plane] = calloc(1, mode->bytes[plane]);
    if (!payload->still[variant][plane]) fc_fail("out of memory for a picture");
  }
  for (uint32_t y = FC_STRIP_ROWS; y < mode->height; y++) {
    fc_still_row(&still, row, y);
    fc_pack_row(mode, payload->still[variant], row, y);
  }
  fc_row_free(row);
}

struct fc_payload *fc_payload_new(const struct fc_mode *mode, const struct fc_color *color, enum fc_picture picture) {
  struct fc_payload *payload = calloc(1, sizeof *payload);
  if (!payload) fc_fail("out of memory for a payload");
  uint32_t fourcc = mode->format->fourcc;
  payload->mode = *mode;
  payload->paint = fc_paint_of(fourcc, color);
  payload->strip = fc_row_new(mode->width);
  if (fourcc == V4L2_PIX_FMT_MJPEG || fourcc == V4L2_PIX_FMT_JPEG) {
    payload->jpeg = fc_jpeg_new(mode, color, picture);
  } else if (fourcc == V4L2_PIX_FMT_H264) {
    payload->h264 = fc_h264_new(mode, color, picture);
  } else {
    payload->variants = picture == FC_PICTURE_NOISE ? FC_VARIANTS : 1;
    for (unsigned i = 0; i < payload->variants; i++) paint_still(payload, i, picture);
  }
  return payload;
}

static void fill_raw(struct fc_payload *payload, struct fc_buffer *buffer, uint32_t counter) {
  const struct fc_mode *mode = &payload->mode;
  uint8_t *const *still = payload->still[counter % payload->variants];
  for (unsigned plane = 0; plane < mode->planes; plane++) {
    if (!buffer->painted || payload->variants > 1) memcpy(buffer->bytes[plane], still[plane], mode->bytes[plane]);
    buffer->used[plane] = mode->bytes[plane];
  }
  buffer->painted = true;
  fc_strip_row(payload->strip, mode->width, counter, payload->paint);
  for (uint32_t y = 0; y < FC_STRIP_ROWS && y < mode->height; y++) fc_pack_row(mode, buffer->bytes, payload->strip, y);
}

void fc_payload_fill(struct fc_payload *payload, struct fc_buffer *buffer, uint32_t counter) {
  const size_t room = payload->mode.bytes[0];
  if (payload->jpeg) buffer->used[0] = (uint32_t)fc_jpeg_fill(payload->jpeg, buffer->bytes[0], room, counter);
  else if (payload->h264) buffer->used[0] = (uint32_t)fc_h264_fill(payload->h264, buffer->bytes[0], room, counter);
  else fill_raw(payload, buffer, counter);
}

/* A lost frame: a camera's H.264 encoder has coded it all the same, so that the next one refers to it. */
void fc_payload_skip(struct fc_payload *payload, uint32_t counter) {
  if (payload->h264) fc_h264_fill(payload->h264, NULL, 0, counter);
}

void fc_payload_free(struct fc_payload *payload) {
  for (unsigned i = 0; i < FC_VARIANTS; i++)
    for (unsigned plane = 0; plane < FC_MAX_PLANES; plane++) free(payload->still[i][plane]);
  if (payload->jpeg) fc_jpeg_free(payload->jpeg);
  if (payload->h264) fc_h264_free(payload->h264);
  fc_row_free(payload->strip);
  free(payload);
}
