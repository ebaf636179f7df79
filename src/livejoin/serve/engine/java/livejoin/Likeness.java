package livejoin;

/**
 * Whether a text is in another one, in upper or lower case. Every character of the other text is looked at once (Knuth,
 * Morris and Pratt), whatever the two have in common: a search that begins anew at each place, as regular expressions
 * do, takes seconds for a megabyte that is chosen for it, and rows stand still meanwhile.
 */
public final class Likeness {

    /** Those of the characters that one unit of UTF-16 holds, which is all but a few: to ask Java takes longer. */
    private static final char[] FOLDED = new char[Character.MAX_VALUE + 1];

    static {
        for (int character = 0; character < FOLDED.length; character++) {
            FOLDED[character] = (char) computed(character);
        }
    }

    /** Code points, so that nothing is found in the middle of a character. */
    private final int[] wanted;
    /** For each number of characters that match: how many still do when one more does not, at a later place. */
    private final int[] left;

    public Likeness(final String text) {
        wanted = text.codePoints().map(Likeness::folded).toArray();
        left = new int[wanted.length + 1];
        for (int at = 1, matching = 0; at < wanted.length; at++) {
            matching = next(wanted[at], matching);
            left[at + 1] = matching;
        }
    }

    public boolean isIn(final String cell) {
        int matching = 0;
        for (int at = 0; matching < wanted.length && at < cell.length();) {
            final int character = at(cell, at);
            at += Character.charCount(character);
            matching = next(folded(character), matching);
        }
        return matching == wanted.length;
    }

    public boolean isBeginOf(final String cell) {
        int at = 0;
        for (final int one : wanted) {
            if (at == cell.length()) {
                return false;
            }
            final int character = at(cell, at);
            if (folded(character) != one) {
                return false;
            }
            at += Character.charCount(character);
        }
        return true;
    }

    public boolean isEndOf(final String cell) {
        int at = cell.length();
        for (int place = wanted.length - 1; place >= 0; place--) {
            if (at == 0) {
                return false;
            }
            final int character = cell.codePointBefore(at);
            if (folded(character) != wanted[place]) {
                return false;
            }
            at -= Character.charCount(character);
        }
        return true;
    }

    /** How many characters match after this one. */
    private int next(final int character, final int matchingBefore) {
        int matching = matchingBefore;
        while (matching > 0 && wanted[matching] != character) {
            matching = left[matching];
        }
        return wanted[matching] == character ? matching + 1 : matching;
    }

    private static int at(final String cell, final int place) {
        final char first = cell.charAt(place);
        return Character.isHighSurrogate(first) ? cell.codePointAt(place) : first;
    }

    /** What is the same in upper and lower case, character by character, becomes the same. */
    private static int folded(final int character) {
        return character < FOLDED.length ? FOLDED[character] : computed(character);
    }

    private static int computed(final int character) {
        return Character.toLowerCase(Character.toUpperCase(character));
    }
}
