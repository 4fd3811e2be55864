/// What went wrong, where, and what to do about it.

import GStreamer

public struct CaptureError: Error, Sendable, Hashable {
  /// What a program may want to tell apart. More can be added.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public static let noCamera = Code(description: "noCamera")
    public static let deviceNotFound = Code(description: "deviceNotFound")
    public static let ambiguousDevice = Code(description: "ambiguousDevice")
    public static let permissionDenied = Code(description: "permissionDenied")
    public static let deviceBusy = Code(description: "deviceBusy")
    public static let notACaptureDevice = Code(description: "notACaptureDevice")
    public static let deviceLost = Code(description: "deviceLost")
    public static let deviceFailed = Code(description: "deviceFailed")
    /// The device is there and delivers nothing.
    public static let noFrames = Code(description: "noFrames")
    public static let usbBandwidth = Code(description: "usbBandwidth")
    /// No mode of the device meets the request.
    public static let requestImpossible = Code(description: "requestImpossible")
    public static let configuration = Code(description: "configuration")
    public static let elementMissing = Code(description: "elementMissing")
    /// An encoder that is installed and does not work on this machine.
    public static let encoderUnfit = Code(description: "encoderUnfit")
    public static let encoderFailed = Code(description: "encoderFailed")
    public static let fileExists = Code(description: "fileExists")
    public static let folderMissing = Code(description: "folderMissing")
    public static let notWritable = Code(description: "notWritable")
    /// A file that is to be inspected.
    public static let notReadable = Code(description: "notReadable")
    public static let diskFull = Code(description: "diskFull")
    public static let invalidState = Code(description: "invalidState")
    public static let pipelineFailed = Code(description: "pipelineFailed")
  }

  public let code: Code
  /// What happened and where, as a sentence.
  public let message: String
  /// What to do, as a sentence; empty where nothing is known to help.
  public let remedy: String

  public init(_ code: Code, _ message: String, remedy: String = "") {
    self.code = code
    self.message = message
    self.remedy = remedy
  }
}

extension CaptureError: CustomStringConvertible {
  public var description: String { remedy.isEmpty ? message : "\(message) \(remedy)" }
}

extension CaptureError: Encodable {
  private enum CodingKeys: CodingKey { case code, message, remedy }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code.description, forKey: .code)
    try container.encode(message, forKey: .message)
    if !remedy.isEmpty { try container.encode(remedy, forKey: .remedy) }
  }
}
