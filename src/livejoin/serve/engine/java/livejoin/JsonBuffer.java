package livejoin;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** JSON as UTF-8, written piece by piece. Half of a surrogate pair is written as an escape, so it survives. */
final class JsonBuffer {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes;
    private int size;

    JsonBuffer(final int capacity) {
        bytes = new byte[capacity];
    }

    int size() {
        return size;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    void nothing() {
        raw(NULL);
    }

    void raw(final int ascii) {
        reserve(1);
        bytes[size++] = (byte) ascii;
    }

    void raw(final byte[] written) {
        raw(written, 0, written.length);
    }

    void raw(final byte[] written, final int from, final int to) {
        reserve(to - from);
        System.arraycopy(written, from, bytes, size, to - from);
        size += to - from;
    }

    void ascii(final String plain) {
        final int length = plain.length();
        reserve(length);
        for (int at = 0; at < length; at++) {
            bytes[size++] = (byte) plain.charAt(at);
        }
    }

    void quoted(final String plain) {
        raw('"');
        ascii(plain);
        raw('"');
    }

    /** Room for a number of four bytes that is not known yet; returns where it is. */
    int skipInt() {
        reserve(Integer.BYTES);
        size += Integer.BYTES;
        return size - Integer.BYTES;
    }

    void setInt(final int at, final int number) {
        bytes[at] = (byte) (number >>> 24);
        bytes[at + 1] = (byte) (number >>> 16);
        bytes[at + 2] = (byte) (number >>> 8);
        bytes[at + 3] = (byte) number;
    }

    void text(final String text) {
        final int length = text.length();
        // No character takes more than six bytes, whether it is escaped or not.
        reserve(6 * length + 2);
        bytes[size++] = '"';
        for (int at = 0; at < length; at++) {
            final char unit = text.charAt(at);
            if (unit >= ' ' && unit < 0x7f && unit != '"' && unit != '\\') {
                bytes[size++] = (byte) unit;
            } else if (unit < 0x80) {
                escape(unit);
            } else if (unit < 0x800) {
                bytes[size++] = (byte) (0xc0 | unit >> 6);
                bytes[size++] = (byte) (0x80 | unit & 0x3f);
            } else if (!Character.isSurrogate(unit)) {
                bytes[size++] = (byte) (0xe0 | unit >> 12);
                bytes[size++] = (byte) (0x80 | unit >> 6 & 0x3f);
                bytes[size++] = (byte) (0x80 | unit & 0x3f);
            } else if (Character.isHighSurrogate(unit)
                    && at + 1 < length
                    && Character.isLowSurrogate(text.charAt(at + 1))) {
                final int point = Character.toCodePoint(unit, text.charAt(++at));
                bytes[size++] = (byte) (0xf0 | point >> 18);
                bytes[size++] = (byte) (0x80 | point >> 12 & 0x3f);
                bytes[size++] = (byte) (0x80 | point >> 6 & 0x3f);
                bytes[size++] = (byte) (0x80 | point & 0x3f);
            } else {
                escape(unit);
            }
        }
        bytes[size++] = '"';
    }

    private void escape(final char unit) {
        bytes[size++] = '\\';
        if (unit == '"' || unit == '\\') {
            bytes[size++] = (byte) unit;
            return;
        }
        bytes[size++] = 'u';
        for (int shift = 12; shift >= 0; shift -= 4) {
            bytes[size++] = HEX[unit >> shift & 0xf];
        }
    }

    private void reserve(final int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }
}
