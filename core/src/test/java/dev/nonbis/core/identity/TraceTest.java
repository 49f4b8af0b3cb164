package dev.nonbis.core.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceTest {

    private static final String ID = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";

    @Test
    void a_header_is_handed_on_as_it_came() {
        var header = "00-" + ID + "-" + SPAN + "-00";

        var trace = Trace.parse(header).orElseThrow();

        assertThat(trace.id()).isEqualTo(ID);
        assertThat(trace.traceparent()).contains(header);
        assertThat(Trace.ofText(trace.text())).isEqualTo(trace);
    }

    @Test
    void a_later_version_is_read_as_far_as_it_is_known() {
        assertThat(Trace.parse("01-" + ID + "-" + SPAN + "-01-more").flatMap(Trace::traceparent))
                .contains("00-" + ID + "-" + SPAN + "-01");
    }

    @Test
    void a_trace_that_began_without_a_span_has_none_to_hand_on() {
        var trace = Trace.of(ID);

        assertThat(trace.traceparent()).isEmpty();
        assertThat(Trace.ofText(trace.text())).isEqualTo(new Trace(ID, Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01x",
                "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319g-b7ad6b7169203331-01"
            })
    void what_is_no_header_is_ignored(String header) {
        assertThat(Trace.parse(header)).isEmpty();
    }
}
