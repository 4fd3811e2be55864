/// Devices as a value, asked where there may be none.

import GStreamer
import Testing

@Suite struct DeviceMonitorTests {
  /// A class that no provider has gives an empty list and no error.
  @Test func listsWhatThereIs() throws {
    #expect(try DeviceMonitor.devices(of: "No/Such/Class") == [])
    for device in try DeviceMonitor.devices(of: "Video/Source") {
      #expect(device.deviceClass.contains("Video") && !device.displayName.isEmpty)
    }
  }

  @Test func theStreamEndsWhenTheWatchDoes() async throws {
    let monitor = try DeviceMonitor(classes: "Video/Source")
    monitor.start()
    let reader = Task {
      var changes: [DeviceChange] = []
      for await change in monitor.changes { changes.append(change) }
      return changes.count
    }
    monitor.stop()
    #expect(await reader.value >= 0)
  }
}
