package dev.nonbis.server.ui;

import dev.nonbis.json.InvisibleText;
import gg.jte.TemplateOutput;
import gg.jte.output.Utf8ByteOutput;

/** A page's bytes. What a template inserts passes here, so no page can show text in which something is hidden. */
final class VisibleOutput implements TemplateOutput {

    private final Utf8ByteOutput bytes = new Utf8ByteOutput();

    byte[] toByteArray() {
        return bytes.toByteArray();
    }

    @Override
    public void writeContent(String value) {
        bytes.writeContent(InvisibleText.escaped(value));
    }

    @Override
    public void writeContent(String value, int beginIndex, int endIndex) {
        writeContent(value.substring(beginIndex, endIndex));
    }

    @Override
    public void writeBinaryContent(byte[] value) {
        bytes.writeBinaryContent(value);
    }
}
