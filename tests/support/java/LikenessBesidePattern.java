import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import livejoin.Likeness;

/** Asks what the table server asks of texts beside a regular expression that means the same, and prints the times. */
class LikenessBesidePattern {
  static final int FLAGS = Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
  /** Letters that are the same as others in the other case, also such as have none there, and halves of characters. */
  static final String[] LETTERS = {
    "a", "A", "b", "s", "S", "\u017f", "\u00df", "i", "I", "\u0130", "\u0131", "k", "\u212a", "\u03c3",
    "\u03c2", "\u03a3", "\u00b5", "\u03bc", "\ud801\udc00", "\ud801\udc28", "\ud83d\ude00", "\ud83d", "\ude00", "\\E", "."
  };

  public static void main(String[] arguments) {
    Random random = new Random(1);
    int found = 0;
    for (int turn = 0; turn < Integer.parseInt(arguments[0]); turn++) {
      // Two letters that often repeat, so that texts have much in common, or any.
      int kinds = turn % 2 == 0 ? 2 : LETTERS.length;
      int first = random.nextInt(LETTERS.length - kinds + 1);
      String text = text(random, first, kinds, random.nextInt(6));
      String cell = text(random, first, kinds, random.nextInt(24));
      Likeness likeness = new Likeness(text);
      String quoted = Pattern.quote(text);
      boolean isIn = likeness.isIn(cell);
      compare("in", text, cell, isIn, quoted);
      compare("begin", text, cell, likeness.isBeginOf(cell), "\\A" + quoted);
      compare("end", text, cell, likeness.isEndOf(cell), quoted + "\\z");
      found += isIn ? 1 : 0;
    }
    System.out.println("found\t" + found);
    String cell = "a".repeat(Integer.parseInt(arguments[1]));
    String text = "a".repeat(4095) + "b";
    Pattern pattern = Pattern.compile(Pattern.quote(text), FLAGS);
    Likeness likeness = new Likeness(text);
    System.out.println("pattern\t" + micros(() -> pattern.matcher(cell).find()));
    System.out.println("likeness\t" + micros(() -> likeness.isIn(cell)));
  }

  static String text(Random random, int first, int kinds, int length) {
    StringBuilder made = new StringBuilder();
    for (int at = 0; at < length; at++) {
      made.append(LETTERS[first + random.nextInt(kinds)]);
    }
    return made.toString();
  }

  static void compare(String where, String text, String cell, boolean holds, String pattern) {
    if (Pattern.compile(pattern, FLAGS).matcher(cell).find() != holds) {
      throw new AssertionError(where + ": " + escaped(text) + " in " + escaped(cell) + " is " + holds);
    }
  }

  static String escaped(String text) {
    StringBuilder made = new StringBuilder();
    text.chars().forEach(unit -> made.append(String.format("\\u%04x", unit)));
    return made.toString();
  }

  static long micros(BooleanSupplier search) {
    long began = System.nanoTime();
    if (search.getAsBoolean()) {
      throw new AssertionError("it is not in there");
    }
    return (System.nanoTime() - began) / 1_000;
  }
}
