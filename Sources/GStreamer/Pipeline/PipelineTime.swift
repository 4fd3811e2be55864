/// The running time of a pipeline, to be gone on in by another one.

import CGStreamer

@safe package final class PipelineTime: Sendable {
  fileprivate let clock: Owned<GstClock>
  fileprivate let base: GstClockTime

  fileprivate init(_ clock: consuming Owned<GstClock>, base: GstClockTime) {
    unsafe self.clock = clock
    self.base = base
  }

  /// Nanoseconds of running time (`gst_clock_get_time` less the base time), also while no pipeline runs in it.
  package var now: Int64 { unsafe Int64(clamping: gst_clock_get_time(clock.pointer)) - Int64(clamping: base) }
}

extension Pipeline {
  /// Of a pipeline that plays, pauses left out; `nil` while it has no clock (`gst_element_get_clock`,
  /// `gst_element_get_base_time`).
  package var time: PipelineTime? {
    guard let clock = unsafe Owned(adopting: gst_element_get_clock(element.pointer)) else { return nil }
    return unsafe PipelineTime(clock, base: gst_element_get_base_time(element.pointer))
  }

  /// Makes buffers of this pipeline bear the times that they would have had in the other one (`gst_pipeline_use_clock`,
  /// `gst_element_set_base_time`; a start time of none keeps the pipeline from choosing a base time of its own). Before
  /// it plays.
  package func goOn(in time: PipelineTime) {
    unsafe gst_pipeline_use_clock(recast(element.pointer), time.clock.pointer)
    unsafe gst_element_set_start_time(element.pointer, capstan_no_time())
    unsafe gst_element_set_base_time(element.pointer, time.base)
  }
}
