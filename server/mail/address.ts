/**
 * The largest length of an email address. A path has at most 256 octets, including two angle brackets (RFC 5321, section
 * 4.5.3.1.3).
 */
const MAX_EMAIL_LENGTH = 254

/**
 * The part before the @: a dot-string of `atext` (RFC 5321, section 4.1.2). Quoted local parts are refused, because they can
 * contain anything and people do not use them.
 */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** The largest length of the part before the @ (RFC 5321, section 4.5.3.1.1). */
const MAX_LOCAL_LENGTH = 64

/**
 * RFC 1035, section 2.3.1, with at least two labels. The last label contains a letter, because otherwise the text is a network
 * address.
 */
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[^.]*[a-z])[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Returns whether a text is one email address of one inbox, in the bank's stored form. Quotes, comments, lists and routes are
 * refused, because a mail server may read them as another person's address or as several addresses.
 */
export function isEmailAddress(text: string): boolean {
  const atSign = text.indexOf('@')
  const [local, domain] = [text.slice(0, atSign), text.slice(atSign + 1)]
  if (text.length > MAX_EMAIL_LENGTH || local.length > MAX_LOCAL_LENGTH) return false
  return LOCAL_PART.test(local) && DOMAIN.test(domain)
}
