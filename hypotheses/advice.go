package hypotheses

import (
	"fmt"
	"math"
	"strconv"
)

// advice says how the plan could get needed samples where it has have.
func (e *evidence) advice(have, needed int) string {
	if have == 0 || len(e.spans) == 0 {
		return fmt.Sprintf("nothing of %s was planned in %s", e.subject(), e.when)
	}
	factor := float64(needed) / float64(have)
	shape, load := e.record.shape(e.spans[0].phase), e.experiment.Load
	switch {
	case e.ofBystanders() && load.Bystanders > 0:
		return fmt.Sprintf("raise bystanders to %v%s", raised(load.Bystanders, factor), e.longer(factor))
	case shape.Serial > 0:
		return "raise serial to " + strconv.Itoa(int(math.Ceil(float64(shape.Serial)*factor)))
	case shape.Burst > 0:
		return "raise burst to " + strconv.Itoa(int(math.Ceil(float64(shape.Burst)*factor)))
	case shape.Rate > 0:
		return fmt.Sprintf("raise rate to %v%s", raised(shape.Rate, factor), e.longer(factor))
	}
	return "more load or a longer phase is needed"
}

// longer is the other way: more time at the same rate, where one phase is
// looked at.
func (e *evidence) longer(factor float64) string {
	if len(e.spans) != 1 || e.spans[0].phase == "" {
		return ""
	}
	return fmt.Sprintf(" or the %s phase to %gs", e.spans[0].phase, math.Ceil(length(e.spans)*factor))
}

func raised(r Rate, factor float64) Rate { return Rate(math.Ceil(float64(r) * factor)) }

func (e *evidence) ofBystanders() bool { return e.scope.Of == Bystanders || e.bystander(e.scope.Of) }

// subject is what the claim is about, in words.
func (e *evidence) subject() string {
	if e.scope.Of == "" {
		return "the endpoints that are no bystanders"
	}
	return e.scope.Of
}
