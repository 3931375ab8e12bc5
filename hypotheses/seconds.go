package hypotheses

import (
	"encoding/json"
	"math"
	"strconv"
	"time"
)

// Seconds is a length of time, or a time since the start of the run, that JSON
// shows as decimal seconds. It is exact to the nanosecond in both directions
// for runs of up to 50 days, so a journal judged again gives the same verdict.
type Seconds time.Duration

// Duration is the time as a [time.Duration].
func (s Seconds) Duration() time.Duration { return time.Duration(s) }

// Float is the time in seconds.
func (s Seconds) Float() float64 { return time.Duration(s).Seconds() }

// MarshalJSON writes decimal seconds.
func (s Seconds) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(s)/1e9, 'f', -1, 64), nil
}

// UnmarshalJSON reads decimal seconds.
func (s *Seconds) UnmarshalJSON(data []byte) error {
	var f float64
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	*s = Seconds(math.Round(f * 1e9))
	return nil
}
