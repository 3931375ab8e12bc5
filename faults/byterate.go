package faults

import (
	"fmt"
	"strconv"
	"strings"
)

// A ByteRate counts bytes per second. Its text has a unit: 512B/s, 4KiB/s,
// 100KB/s, 1MiB/s.
type ByteRate int64

var byteUnits = []struct {
	name  string
	bytes int64
}{{"MiB/s", 1 << 20}, {"KiB/s", 1 << 10}, {"MB/s", 1e6}, {"KB/s", 1e3}, {"B/s", 1}}

// String writes the rate with the largest unit that divides it.
func (r ByteRate) String() string {
	for _, u := range byteUnits {
		if int64(r) != 0 && int64(r)%u.bytes == 0 {
			return strconv.FormatInt(int64(r)/u.bytes, 10) + u.name
		}
	}
	return "0B/s"
}

// MarshalText writes the rate as [ByteRate.String] does.
func (r ByteRate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a whole number of bytes with a unit per second.
func (r *ByteRate) UnmarshalText(text []byte) error {
	for _, u := range byteUnits {
		number, ok := strings.CutSuffix(string(text), u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err != nil || n < 0 || n > (1<<62)/u.bytes {
			break
		}
		*r = ByteRate(n * u.bytes)
		return nil
	}
	return fmt.Errorf("%q is not a rate of bytes: want a whole number and a unit, such as 4KiB/s, 100KB/s or 512B/s", text)
}
