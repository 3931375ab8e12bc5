package openai

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/brownout-chaos/brownout/fakes/dialect"
)

type model struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

type modelList struct {
	Object string  `json:"object"`
	Data   []model `json:"data"`
}

func newModel(id string) model {
	return model{ID: id, Object: "model", Created: 1715367049, OwnedBy: "brownout"}
}

// listedModels are the names that GET /models shows. Any other name is served
// as well.
func listedModels() []string { return []string{"gpt-4o", "gpt-4o-mini", "gpt-4.1"} }

func readModels(r *http.Request) dialect.Request {
	id := modelID(r.URL)
	var body []byte
	if id == "" {
		list := modelList{Object: "list", Data: []model{}}
		for _, name := range listedModels() {
			list.Data = append(list.Data, newModel(name))
		}
		body = encode(list)
	} else {
		body = encode(newModel(id))
	}
	return dialect.Request{
		Model: id,
		Answer: func(dialect.Origin) dialect.Answer {
			return dialect.Answer{Status: http.StatusOK, ContentType: contentJSON, Body: body}
		},
	}
}

// modelID is what follows /models/ in the path: "" for the list.
func modelID(u *url.URL) string {
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	if strings.HasSuffix(path, "/models") {
		return ""
	}
	escaped := path[strings.LastIndexByte(path, '/')+1:]
	id, err := url.PathUnescape(escaped)
	if err != nil {
		return escaped
	}
	return id
}
