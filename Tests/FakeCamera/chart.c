/* The picture by which colour is judged: a ramp through all 256 grey levels, and thirty patches of known RGB.
 *
 * Below the strip, from the left edge, in units of s, the largest whole number with which it fits:
 *   rows of forty cells of 8s x 8s pixels, the levels 0 to 255 in order (32 + 56s);
 *   from row 32 + 64s three rows of ten patches of 32s x 48s.
 * The rest is mid grey. Cells are whole blocks of JPEG, patches whole macroblocks: no codec and no chroma
 * subsampling mixes two of them. Tests/Tools/recording/chart.py has the same numbers, for the judge. */
#include "fakecamera.h"

#define CHART_WIDTH 320
#define CHART_HEIGHT 208
#define CELL 8
#define CELLS 40
#define PATCH_FROM 64
#define PATCH_HEIGHT 48
#define PATCHES 10

static const uint8_t grey = 128;
static const uint8_t patches[3][PATCHES][3] = {
    /* primaries and secondaries, white, black, two greys */
    {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {0, 255, 255}, {255, 0, 255}, {255, 255, 0}, {255, 255, 255}, {0, 0, 0}, {64, 64, 64}, {192, 192, 192}},
    /* three skins, foliage, sky, wood, and the primaries at three quarters, as test charts have them */
    {{197, 140, 133}, {94, 60, 46}, {234, 192, 134}, {87, 108, 67}, {98, 122, 157}, {214, 126, 44}, {191, 0, 0}, {0, 191, 0}, {0, 0, 191}, {133, 128, 177}},
    /* near black, near white, pastel */
    {{32, 0, 0}, {0, 32, 0}, {0, 0, 32}, {12, 20, 8}, {255, 224, 224}, {224, 255, 224}, {224, 224, 255}, {250, 248, 240}, {128, 0, 128}, {0, 128, 128}},
};

static uint32_t scale(uint32_t width, uint32_t height) {
  uint32_t across = width / CHART_WIDTH, down = height < FC_STRIP_ROWS ? 0 : (height - FC_STRIP_ROWS) / CHART_HEIGHT;
  uint32_t most = across < down ? across : down;
  if (!most) fc_fail("the picture \"ramp\" needs 320x240 pixels, not %ux%u", width, height);
  return most;
}

static void cell_row(struct fc_row *row, uint32_t s, uint32_t line, struct fc_paint paint) {
  for (uint32_t cell = 0; cell < CELLS; cell++) {
    uint32_t level = line * CELLS + cell;
    uint8_t value = level < 256 ? (uint8_t)level : grey;
    const uint8_t rgb[3] = {value, value, value};
    fc_span(row, cell * CELL * s, (cell + 1) * CELL * s, rgb, paint);
  }
}

static void patch_row(struct fc_row *row, uint32_t s, uint32_t line, struct fc_paint paint) {
  uint32_t wide = CHART_WIDTH / PATCHES * s;
  for (uint32_t patch = 0; patch < PATCHES; patch++) fc_span(row, patch * wide, (patch + 1) * wide, patches[line][patch], paint);
}

void fc_chart_row(struct fc_row *row, uint32_t width, uint32_t height, uint32_t y, struct fc_paint paint) {
  const uint8_t rest[3] = {grey, grey, grey};
  uint32_t s = scale(width, height), down = y - FC_STRIP_ROWS;
  fc_span(row, 0, width, rest, paint);
  if (down < 7 * CELL * s) cell_row(row, s, down / (CELL * s), paint);
  else if (down >= PATCH_FROM * s && down < CHART_HEIGHT * s) patch_row(row, s, (down - PATCH_FROM * s) / (PATCH_HEIGHT * s), paint);
}
