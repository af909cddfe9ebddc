package serve

import (
	"encoding/json"
	"flag"
	"io"
	"log"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"k8s.io/klog/v2"
)

// logAsJSON sends what klog and Go's own log are given to this writer, each entry as one line of JSON with `level` and `msg`.
func logAsJSON(output io.Writer, verbosity int) {
	lines := &jsonLines{output: output}
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{
		"logtostderr": "false",
		// Else an error is written three times, once for each level below it, and once more to standard error as it is.
		"one_output":      "true",
		"stderrthreshold": "4",
		"v":               strconv.Itoa(verbosity),
	} {
		_ = flags.Set(name, value)
	}
	klog.SetOutput(lines)
	log.SetFlags(0)
	log.SetOutput(lines)
}

// jsonLines writes each entry that it is given as one line. klog hands over a whole entry at a time.
type jsonLines struct {
	mutex  sync.Mutex
	output io.Writer
}

type line struct {
	Level  string `json:"level"`
	Msg    string `json:"msg"`
	Caller string `json:"caller,omitempty"`
}

func (l *jsonLines) Write(entry []byte) (int, error) {
	text, err := json.Marshal(lineOf(string(entry)))
	if err != nil {
		return 0, err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if _, err := l.output.Write(append(text, '\n')); err != nil {
		return 0, err
	}
	return len(entry), nil
}

// `W1124 04:05:06.000007   89 file.go:10] message`
var klogEntry = regexp.MustCompile(`(?s)^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ ([^\]]+)\] (.*)$`)

var levels = map[string]string{"I": "info", "W": "warn", "E": "error", "F": "error"}

func lineOf(entry string) line {
	entry = strings.TrimRight(entry, "\n")
	if parts := klogEntry.FindStringSubmatch(entry); parts != nil {
		return line{Level: levels[parts[1]], Msg: parts[3], Caller: parts[2]}
	}
	return line{Level: "info", Msg: entry}
}
