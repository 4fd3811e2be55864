/* An H.264 encoder with one fault, for trials of encoders: x264enc in a bin that spoils it.
 *
 * | fault      | what it does                                                      |
 * |------------|-------------------------------------------------------------------|
 * | open       | refuses to start, as a driver without its device does             |
 * | hang       | takes a picture and never comes back                              |
 * | hang-start | never gets to being started                                       |
 * | hang-stop  | never gets to being stopped                                       |
 * | segfault   | reads where there is nothing, at the fifth picture                |
 * | abort      | ends the program as an assertion does, at the fifth picture       |
 * | exit       | ends the program as some libraries do, at the fifth picture       |
 * | drop       | loses every tenth picture                                         |
 * | garble     | encodes grey in place of the pictures                             |
 * | keyless    | ignores the distance of key frames                                |
 * | lavish     | takes three times the bit rate                                    |
 * | slow       | needs 50 ms for a picture                                         |
 * | none       | none: it works                                                    |
 */
#include <gst/gst.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define PACKAGE "capstan-tests"

typedef struct {
  GstBin parent;
  GstElement *inner;
  char *fault;
  guint in, out;
} FakeEncoder;

typedef struct {
  GstBinClass parent_class;
} FakeEncoderClass;

GType fake_encoder_get_type(void);
G_DEFINE_TYPE(FakeEncoder, fake_encoder, GST_TYPE_BIN)

enum { PROP_FAULT = 1, PROP_BITRATE, PROP_KEY_INT_MAX };

static gboolean has(const FakeEncoder *self, const char *fault) { return g_strcmp0(self->fault, fault) == 0; }

static void wait_for_ever(void) {
  for (;;) pause();
}

static void garble(GstPadProbeInfo *info) {
  GstBuffer *buffer = gst_buffer_copy_deep(GST_PAD_PROBE_INFO_BUFFER(info));
  gst_buffer_memset(buffer, 0, 128, gst_buffer_get_size(buffer));
  gst_buffer_unref(GST_PAD_PROBE_INFO_BUFFER(info));
  GST_PAD_PROBE_INFO_DATA(info) = buffer;
}

static GstPadProbeReturn take(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
  FakeEncoder *self = data;
  (void)pad;
  self->in++;
  if (has(self, "hang")) wait_for_ever();
  if (has(self, "slow")) g_usleep(50000);
  if (has(self, "garble")) garble(info);
  if (self->in < 5) return GST_PAD_PROBE_OK;
  if (has(self, "segfault")) raise(SIGSEGV);
  if (has(self, "abort")) abort();
  if (has(self, "exit")) _exit(3);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn give(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
  FakeEncoder *self = data;
  (void)pad, (void)info;
  self->out++;
  return has(self, "drop") && self->out % 10 == 0 ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

static void add_pad(FakeEncoder *self, const char *name, GstPadProbeCallback probe) {
  GstPad *pad = gst_element_get_static_pad(self->inner, name);
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, probe, self, NULL);
  gst_element_add_pad(GST_ELEMENT(self), gst_ghost_pad_new(name, pad));
  gst_object_unref(pad);
}

static void fake_encoder_init(FakeEncoder *self) {
  self->inner = gst_element_factory_make("x264enc", "inner");
  if (!self->inner) return;
  gst_util_set_object_arg(G_OBJECT(self->inner), "speed-preset", "ultrafast");
  g_object_set(self->inner, "bframes", 0, NULL);
  gst_bin_add(GST_BIN(self), self->inner);
  add_pad(self, "sink", take);
  add_pad(self, "src", give);
}

static GstStateChangeReturn change_state(GstElement *element, GstStateChange change) {
  FakeEncoder *self = (FakeEncoder *)element;
  if (change == GST_STATE_CHANGE_NULL_TO_READY && has(self, "open")) {
    GST_ELEMENT_ERROR(self, RESOURCE, OPEN_READ_WRITE, ("There is no such device."), (NULL));
    return GST_STATE_CHANGE_FAILURE;
  }
  if (change == GST_STATE_CHANGE_NULL_TO_READY && has(self, "hang-start")) wait_for_ever();
  if (change == GST_STATE_CHANGE_PAUSED_TO_READY && has(self, "hang-stop")) wait_for_ever();
  return GST_ELEMENT_CLASS(fake_encoder_parent_class)->change_state(element, change);
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  FakeEncoder *self = (FakeEncoder *)object;
  switch (id) {
    case PROP_FAULT:
      g_free(self->fault);
      self->fault = g_value_dup_string(value);
      break;
    case PROP_BITRATE:
      g_object_set(self->inner, "bitrate", g_value_get_uint(value) * (has(self, "lavish") ? 3 : 1), NULL);
      break;
    case PROP_KEY_INT_MAX:
      g_object_set(self->inner, "key-int-max", has(self, "keyless") ? 100000 : g_value_get_uint(value), NULL);
      break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
}

static void finalize(GObject *object) {
  g_free(((FakeEncoder *)object)->fault);
  G_OBJECT_CLASS(fake_encoder_parent_class)->finalize(object);
}

static void add_template(GstElementClass *class, const char *name, GstPadDirection direction, const char *text) {
  GstCaps *caps = gst_caps_from_string(text);
  gst_element_class_add_pad_template(class, gst_pad_template_new(name, direction, GST_PAD_ALWAYS, caps));
  gst_caps_unref(caps);
}

static void fake_encoder_class_init(FakeEncoderClass *class) {
  GObjectClass *object = G_OBJECT_CLASS(class);
  GstElementClass *element = GST_ELEMENT_CLASS(class);
  object->set_property = set_property;
  object->finalize = finalize;
  element->change_state = change_state;
  g_object_class_install_property(
      object, PROP_FAULT, g_param_spec_string("fault", "Fault", "See the source", "none", G_PARAM_WRITABLE));
  g_object_class_install_property(
      object, PROP_BITRATE,
      g_param_spec_uint("bitrate", "Bit rate", "In kbit/s", 1, 1000000, 2048, G_PARAM_WRITABLE));
  g_object_class_install_property(
      object, PROP_KEY_INT_MAX,
      g_param_spec_uint("key-int-max", "Key frames", "In frames", 0, 100000, 0, G_PARAM_WRITABLE));
  gst_element_class_set_static_metadata(element, "Encoder with a fault", "Codec/Encoder/Video", "For tests", "Capstan");
  add_template(element, "sink", GST_PAD_SINK, "video/x-raw, format=(string)I420");
  add_template(element, "src", GST_PAD_SRC, "video/x-h264, alignment=(string)au");
}

static gboolean plugin_init(GstPlugin *plugin) {
  return gst_element_register(plugin, "fakeenc", GST_RANK_NONE, fake_encoder_get_type());
}

GST_PLUGIN_DEFINE(
    GST_VERSION_MAJOR, GST_VERSION_MINOR, fakeencoder, "An encoder with a fault", plugin_init, "1.0", "MIT/X11",
    PACKAGE, "https://example.invalid/")
