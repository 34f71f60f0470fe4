"""Telephone numbers: ITU-T E.164, a plus, a country's code and the number of a subscriber."""

from libc.string cimport memchr, memset

from cedar.transforms.curation._ip_addresses cimport is_inside
from cedar.transforms.curation._plain_text cimport (
    ALNUM, CLASS, DIGIT, LETTER, Text, byte_at, class_at, is_letter_of_two, letter_before,
)

cdef enum:
    MIN_DIGITS = 7
    MAX_DIGITS = 15  # E.164, section 6.1
    MAX_GAP = 3  # bytes of a gap; its last sign may exceed them

# What stands before a plus.
cdef enum:
    NO_NUMBER = 0  # none begins here
    CODED_NUMBER = 1  # one may begin, if its country's code and two more groups stand apart
    GROUPED_NUMBER = 2  # one may begin, if its digits stand in groups
    ANY_NUMBER = 3

cdef bytes CODES_OF_TWO = (
    b"20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86"
    b" 90 91 92 93 94 95 98"
)
cdef unsigned char[100] HAS_CODE_OF_TWO
memset(&HAS_CODE_OF_TWO[0], 0, 100)
for _code in CODES_OF_TWO.split():
    HAS_CODE_OF_TWO[int(_code)] = 1


cdef struct Number:
    Py_ssize_t end  # after its last digit; -1: it is none
    int n_digits
    int n_gaps  # between groups of digits
    int n_dots  # gaps that are one dot
    int first_group  # digits, if there are gaps
    int last_group  # digits
    int n_threes  # groups of three digits after the first group


cdef Py_ssize_t find_telephone(Text* text, Py_ssize_t plus) noexcept:
    """Return the end of the number that begins with a plus; -1 if none does."""
    cdef Number number
    cdef Py_ssize_t after_extension
    cdef int before = _before_plus(text, plus)
    cdef Py_ssize_t start = _code_start(text, plus) if before != NO_NUMBER else -1
    if start < 0:
        return -1
    _read_number(text, start, &number)
    if number.end < 0 or not MIN_DIGITS <= number.n_digits <= MAX_DIGITS:
        return -1
    if number.n_gaps < 2 and text.data[plus + 1] == c" " or not number.n_gaps and before == GROUPED_NUMBER:
        return -1
    if before == CODED_NUMBER and not _has_code_apart(text, start, &number):
        return -1  # a sum
    after_extension = _after_extension(text, number.end)
    if after_extension == number.end and _letter_follows(text, number.end):
        if not (number.n_gaps or number.n_digits > 9) or not _begins_word(text, number.end):
            return -1
    if number.n_gaps == 1 and number.n_dots == 1 and number.n_digits < 11:
        return -1  # a decimal number
    if _may_be_amount(&number) and _has_unit(text, plus, number.end):
        return -1
    if number.n_gaps == 2 and number.first_group == 4 and number.n_digits == 8 and number.last_group == 2:
        return -1  # a day of a far year, as ISO 8601 writes it
    return after_extension


cdef bint _has_code_apart(Text* text, Py_ssize_t start, Number* number) noexcept:
    """Tell whether a number has its country's code and two more groups, which are not of an amount."""
    return number.n_gaps > 1 and number.first_group == _code_digits(text, start) and not _may_be_amount(number)


cdef enum:
    MAX_EXTENSION = 6  # digits
    MAX_BEFORE_EXTENSION = 3  # bytes between a number, the word for an extension and its digits

cdef tuple EXTENSIONS = (
    b"x", b"ext", b"extn", b"extension", b"poste", b"interno", b"durchwahl", "доб".encode(),
)  # fmt: skip


cdef Py_ssize_t _after_extension(Text* text, Py_ssize_t end) noexcept:
    """Return the end of the extension after a number, as `ext. 89` or `x89`; the number's end if it has none."""
    cdef Py_ssize_t word = end, place, digits
    while word - end < MAX_BEFORE_EXTENSION and memchr(b" ,;", byte_at(text, word), 3) != NULL:
        word += 1
    place = word
    while place - word < 10 and (class_at(text, place) & LETTER or byte_at(text, place) >= 0x80):
        place += 1
    if place == word or (<bytes>text.data[word:place]).lower() not in EXTENSIONS:
        return end
    digits = place
    while digits - place < MAX_BEFORE_EXTENSION and memchr(b" .:=", byte_at(text, digits), 4) != NULL:
        digits += 1
    place = digits
    while place - digits < MAX_EXTENSION and class_at(text, place) & DIGIT:
        place += 1
    return place if place > digits and not class_at(text, place) & ALNUM else end


cdef Py_ssize_t _code_start(Text* text, Py_ssize_t plus) noexcept:
    """Return where the country's code begins after a plus; -1 if it does not."""
    cdef Py_ssize_t place = plus + 1
    if byte_at(text, place) == c"(":  # +(49) 30 1234567
        place += 1
        while class_at(text, place) & DIGIT and place - plus < 6:
            place += 1
        if not 3 <= place - plus <= 5 or byte_at(text, place) != c")":
            return -1
        place = plus + 2
    elif byte_at(text, place) == c" ":  # + 49 30 1234567
        if not _begins_number(text, plus):
            return -1
        place += 1
    return place if class_at(text, place) & DIGIT and text.data[place] != c"0" else -1


cdef inline int _code_digits(Text* text, Py_ssize_t place) noexcept:
    """Return the number of digits of the country's code that begins here."""
    if text.data[place] == c"1" or text.data[place] == c"7":
        return 1
    # What follows may be no digit: then the code is cut, whatever its length.
    return 2 if HAS_CODE_OF_TWO[(text.data[place] - c"0") * 10 + (byte_at(text, place + 1) - c"0") % 10] else 3


cdef void _read_number(Text* text, Py_ssize_t start, Number* number) noexcept:
    """Read groups of digits with gaps between them. Of more digits than a number has, the last group is left out."""
    cdef Py_ssize_t place = start, gap, end_before = -1
    cdef int group = 0, n_digits_before = 0, code_digits = _code_digits(text, start)
    memset(number, 0, sizeof(Number))
    number.end = -1
    while place < text.size:
        if CLASS[text.data[place]] & DIGIT:
            if number.n_digits == MAX_DIGITS:
                number.end, number.n_digits = end_before, n_digits_before
                break
            number.n_digits += 1
            group += 1
            place += 1
            number.end = place
            continue
        if group < code_digits and not number.n_gaps:
            number.end = -1  # a gap inside of the country's code
            return
        gap = place
        while place < text.size and place - gap < MAX_GAP and _is_gap(text, place, &place):
            pass
        if place - gap == 1 and text.data[gap] == c"*" and not number.n_gaps:
            break  # a product
        if place == gap or not class_at(text, place) & DIGIT:
            break
        if number.n_gaps:
            number.n_threes += group == 3
        else:
            number.first_group = group
        number.n_dots += place - gap == 1 and text.data[gap] == c"."
        number.n_gaps += 1
        group = 0
        end_before, n_digits_before = number.end, number.n_digits
    number.last_group = group
    if number.n_gaps:
        number.n_threes += group == 3


cdef inline bint _may_be_amount(Number* number) noexcept:
    """Tell whether a number is written without gaps, or in groups of three."""
    return not number.n_gaps or number.first_group <= 3 and number.n_threes == number.n_gaps


cdef tuple WORDS_OF_TELEPHONES = (
    b"tel", b"fon", b"fono", b"phone", b"mobil", b"mobile", b"cell", b"fax", b"whatsapp",
)  # fmt: skip


cdef int _before_plus(Text* text, Py_ssize_t plus) noexcept:
    """Tell what number may begin at a plus, by what stands before it."""
    cdef Py_ssize_t place = plus
    cdef unsigned char before = byte_at(text, plus - 1)
    cdef int width = 0
    cdef bint is_after_letter
    if before == c"_" and not class_at(text, plus - 2) & ALNUM:  # a mark
        return ANY_NUMBER
    if before == c".":
        # Tel.+49 30 1234567
        if class_at(text, plus - 2) & LETTER and class_at(text, plus - 3) & LETTER:
            return ANY_NUMBER
        is_after_letter = class_at(text, plus - 2) & LETTER or letter_before(text, plus - 1, &width)
        return GROUPED_NUMBER if is_after_letter else NO_NUMBER
    if not is_inside(text, plus):
        return ANY_NUMBER
    if CLASS[before] & DIGIT:
        return CODED_NUMBER
    while place > 0 and plus - place < 9 and CLASS[text.data[place - 1]] & LETTER:
        place -= 1
    if (<bytes>text.data[place:plus]).lower().endswith(WORDS_OF_TELEPHONES):
        return ANY_NUMBER
    if before >= 0x80 and letter_before(text, plus, &width):
        return GROUPED_NUMBER
    if plus - place > 2:  # Phone+49 30 1234567, but not x+12345678
        return GROUPED_NUMBER
    # A word of two letters, or one of the letters that stand for telephone, fax, mobile and the like.
    if plus - place == 2 or plus - place == 1 and before < c"a" and memchr(b"TFMPHW", before, 6) != NULL:
        return GROUPED_NUMBER if not class_at(text, place - 1) & ALNUM else NO_NUMBER
    return NO_NUMBER


cdef bint _begins_number(Text* text, Py_ssize_t plus) noexcept:
    """Tell whether a plus with a blank after it begins a number, and is no sum."""
    cdef Py_ssize_t place = plus
    while place > 0 and plus - place < 3 and text.data[place - 1] == c" ":
        place -= 1
    cdef unsigned char before = byte_at(text, place - 1)
    return place == 0 or before == c"\n" or before == c"\t" or before == c":" or before == c"(" or (
        before == c"." and bool(class_at(text, place - 2) & LETTER)
    )


cdef bint _letter_follows(Text* text, Py_ssize_t end) noexcept:
    """Tell whether a letter follows a number, but for the x of an extension."""
    return bool(class_at(text, end) & LETTER) and text.data[end] | 0x20 != c"x" or is_letter_of_two(text, end)


cdef bint _begins_word(Text* text, Py_ssize_t end) noexcept:
    """Tell whether a word with a capital begins here, as in +49 30 1234567Fax, and no unit and no currency."""
    cdef unsigned char second = byte_at(text, end + 1)
    if text.data[end] >= 0x80:
        return 0xD0 == text.data[end] and 0x90 <= second <= 0xAF  # Cyrillic
    return c"A" <= text.data[end] <= c"Z" and (second == c"-" or c"a" <= second <= c"z" or second >= 0xC3)


cdef inline bint _is_gap(Text* text, Py_ssize_t at, Py_ssize_t* place) noexcept:
    """Tell whether a sign that may stand between digits begins here, and move `place` after it."""
    cdef unsigned char sign = text.data[at]
    if memchr(b" -.()]/_*", sign, 9) != NULL:
        place[0] = at + 1
        return True
    # Hyphens and dashes, U+2010 to U+2015; the sign of minus, U+2212.
    if sign == 0xE2 and (
        byte_at(text, at + 1) == 0x80 and 0x90 <= byte_at(text, at + 2) <= 0x95
        or byte_at(text, at + 1) == 0x88 and byte_at(text, at + 2) == 0x92
    ):
        place[0] = at + 3
        return True
    return False


cdef bint _has_unit(Text* text, Py_ssize_t plus, Py_ssize_t end) noexcept:
    """Tell whether a sign of a currency stands before or after a number, or a per cent after it."""
    while byte_at(text, end) == c" ":
        end += 1
    while byte_at(text, plus - 1) == c" ":
        plus -= 1
    # Before the number stands $, a sign of three bytes such as the euro's, or of two.
    return _is_currency(text, end) or byte_at(text, end) == c"%" or byte_at(text, plus - 1) == c"$" or (
        _is_currency(text, plus - 3) or _is_currency(text, plus - 2)
    )


cdef inline bint _is_currency(Text* text, Py_ssize_t at) noexcept:
    cdef unsigned char first = byte_at(text, at), second = byte_at(text, at + 1)
    if first == c"$" or (first == 0xC2 and 0xA2 <= second <= 0xA5):
        return True
    return first == 0xE2 and second == 0x82 and 0xA0 <= byte_at(text, at + 2) <= 0xBF
