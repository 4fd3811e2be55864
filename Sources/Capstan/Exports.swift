/// A program that imports Capstan has its whole vocabulary: formats, requests, presets and plans.

@_exported public import MediaFormats
@_exported public import MediaInspection
@_exported public import PipelinePlanning
