package faults

import (
	"fmt"
	"net/http"
)

// HTMLPage is the error page of something between the service and the
// provider: a load balancer, a proxy, a captive portal. YAML: html_page:
// {status: 502}. Status 200 is allowed and nasty.
type HTMLPage struct {
	Code int `json:"status,omitempty"` // 200 to 599; 0: 502
}

// Kind is "html_page".
func (HTMLPage) Kind() string { return "html_page" }

// Check reports a status outside 200 to 599.
func (f HTMLPage) Check() error {
	if f.Code == 0 {
		return nil
	}
	return checkStatus("status", f.Code, 200, 599)
}

// Script answers a page of HTML.
func (f HTMLPage) Script() Script {
	code := f.Code
	if code == 0 {
		code = 502
	}
	title := fmt.Sprintf("%d %s", code, http.StatusText(code))
	page := "<html>\r\n<head><title>" + title + "</title></head>\r\n<body>\r\n<center><h1>" + title +
		"</h1></center>\r\n<hr><center>brownout</center>\r\n</body>\r\n</html>\r\n"
	return Script{Reply: &Reply{Class: ClassStatus, Status: code, Body: &Body{ContentType: "text/html", Text: page}}}
}
