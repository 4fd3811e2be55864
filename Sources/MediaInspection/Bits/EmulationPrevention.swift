/// The bytes 3 that keep a NAL unit's payload from looking like a start code (ITU-T H.264, 7.4.1; H.265, 7.4.2).

package enum EmulationPrevention {
  /// The payload of a NAL unit as it is stored, without them.
  package static func removed(from stored: some Sequence<UInt8>) -> [UInt8] {
    var payload: [UInt8] = []
    var zeros = 0
    for byte in stored {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      payload.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return payload
  }

  /// As it has to be stored. A payload ends in a byte that is not zero, so none is needed behind it.
  package static func inserted(into payload: some Sequence<UInt8>) -> [UInt8] {
    var stored: [UInt8] = []
    var zeros = 0
    for byte in payload {
      if zeros >= 2, byte <= 3 {
        stored.append(3)
        zeros = 0
      }
      stored.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return stored
  }
}
