package hypotheses

import "fmt"

// attemptGroups are the leaf calls of a request by provider and body, each
// group in order of arrival.
func (r *record) attemptGroups(q *Request) [][]*LeafCall {
	groups, places := [][]*LeafCall{}, map[[2]string]int{}
	for _, c := range r.callsOf[q] {
		key := [2]string{c.Provider, c.BodyHash}
		place, known := places[key]
		if !known {
			place = len(groups)
			places[key] = place
			groups = append(groups, nil)
		}
		groups[place] = append(groups[place], c)
	}
	return groups
}

// largestGroup is the attempt group with the most calls, the first of them.
func (r *record) largestGroup(q *Request) []*LeafCall {
	var largest []*LeafCall
	for _, group := range r.attemptGroups(q) {
		if len(group) > len(largest) {
			largest = group
		}
	}
	return largest
}

func (r *record) attempts(q *Request) float64 { return float64(len(r.largestGroup(q))) }

// attemptNumber is the place of the call in its attempt group, from 1; 0 where
// no request is known to have caused it.
func (r *record) attemptNumber(q *Request, call *LeafCall) int {
	for _, group := range r.attemptGroups(q) {
		for i, c := range group {
			if c == call {
				return i + 1
			}
		}
	}
	return 0
}

// attemptSplit says who made the attempts of a request: the SDK, which numbers
// its own retries in a header, or the layers around it, which start it anew.
func (r *record) attemptSplit(id string) string {
	group := r.largestGroup(r.byID[id])
	outer, inner := 0, 0
	for _, c := range group {
		if c.SDKRetry == nil {
			return fmt.Sprintf("%s: %s, no SDK header", id, plural(len(group), "call"))
		}
		if *c.SDKRetry == 0 {
			outer++
		}
		inner = max(inner, *c.SDKRetry+1)
	}
	if outer*inner == len(group) {
		return fmt.Sprintf("%s: %d outer x %d SDK attempts", id, outer, inner)
	}
	return fmt.Sprintf("%s: %s in %d outer attempts, up to %d SDK attempts each", id, plural(len(group), "call"), outer, inner)
}

// callEnv is what an expression sees of a leaf call.
func (e *evidence) callEnv(q *Request, call *LeafCall) map[string]any {
	env := e.requestEnv(q)
	env["call"] = callFields(call, e.attemptNumber(q, call))
	return env
}

// countCalls is how many leaf calls of the request match.
func (e *evidence) countCalls(q *Request, matches func(*Request, *LeafCall) bool) float64 {
	n := 0.0
	for _, call := range e.callsOf[q] {
		if matches(q, call) {
			n++
		}
	}
	return n
}

// concerns reports whether the claim is about the call: its request is one of
// the claim's endpoints, or it is not known and the claim is about all.
func (e *evidence) concerns(call *LeafCall) bool {
	if q := e.owners[call]; q != nil {
		return e.experiment.Service.Covers(e.scope.Of, q.Endpoint)
	}
	return e.scope.Of == "" && !e.foreign[call]
}

// ownerID is the id of the request that caused the call, "" where it is not
// known.
func (e *evidence) ownerID(call *LeafCall) string {
	if q := e.owners[call]; q != nil {
		return q.ID
	}
	return ""
}

// callBounds are the bounds of claims about numbers of leaf calls.
func callBounds() boundRule {
	return boundRule{unit: ofCount, keys: append(twoSided(), "equals"), relative: true}
}
