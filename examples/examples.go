package examples

import "embed"

// FS holds the files of this folder, for `brownout demo`.
//
//go:embed */*.yaml
var FS embed.FS
