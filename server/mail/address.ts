/** RFC 5321, section 4.5.3.1.3: a path is at most 256 octets, its angle brackets among them. */
const MAX_EMAIL_LENGTH = 254

/** RFC 5321, section 4.1.2: a dot-string of `atext`. Quoted ones, which can hold anything, are none that people have. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** RFC 5321, section 4.5.3.1.1. */
const MAX_LOCAL_LENGTH = 64

/** RFC 1035, section 2.3.1, of at least two labels; the last is no number, for then it is a network address. */
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[^.]*[a-z])[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Whether a text is one email address of one inbox, in the form the bank keeps: no quotes, comments, lists or routes,
 * which mail servers read as somebody else's address or as several.
 */
export function isEmailAddress(text: string): boolean {
  const at = text.indexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (text.length > MAX_EMAIL_LENGTH || local.length > MAX_LOCAL_LENGTH) return false
  return LOCAL_PART.test(local) && DOMAIN.test(domain)
}
