import { directionOf } from '#contract/languages.ts'
import type { MailPart } from '#server/mail/texts/text.ts'
import { COLORS, HEART, ON_BRAND } from '#server/platform/brand/brand.ts'
import { markup, raw, htmlText } from '#server/platform/markup.ts'
import type { Translator } from '#server/platform/translations.ts'

const light = (name: keyof typeof COLORS) => COLORS[name][0]
const dark = (name: keyof typeof COLORS) => COLORS[name][1]

const FONT =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Arabic', Helvetica, Arial, sans-serif"

/**
 * The styles that differ in dark mode. Mail programs that drop them show the light colors, which are inline. `!important`
 * overrides the inline colors.
 */
const DARK = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .canvas { background: ${dark('canvas')} !important; }
    .surface { background: ${dark('surface')} !important; border-color: ${dark('line')} !important; }
    .ink { color: ${dark('ink')} !important; }
    .soft { color: ${dark('ink-soft')} !important; }
    .button { background: ${dark('primary')} !important; color: ${dark('on-primary')} !important; }
    .link { color: ${dark('primary')} !important; }
  }`

/** Returns a ring of the logo with its content. */
const ring = (size: number, [left, top]: readonly [number, number], inner: string): string =>
  `<span style="display:block;box-sizing:border-box;width:${size}px;height:${size}px;margin:${top}px 0 0 ${left}px;border:1.3px solid ${ON_BRAND};border-radius:50%">${inner}</span>`

const HEART_DRAWN = `<span style="display:block;width:3px;height:3px;margin:1.7px 0 0 1px;border-radius:50%;background:${HEART}"></span>`
const RINGS_DRAWN = ring(20, [4, 4], ring(14, [1.2, 2.2], ring(8.4, [0.9, 1.8], HEART_DRAWN)))

/** Returns a ring for Outlook for Windows, which draws circles only in VML. */
const oval = (place: string, look: string) => `<v:oval style="position:absolute;${place}" ${look}></v:oval>`
const OUTLOOK_RINGS = [
  'left:4;top:4;width:20;height:20',
  'left:6;top:8;width:14;height:14',
  'left:9;top:11;width:8;height:8',
]
  .map((place) => oval(place, `filled="f" strokecolor="${ON_BRAND}" strokeweight="1pt"`))
  .join('')
const OUTLOOK_MARK = `<v:group style="width:21pt;height:21pt" coordsize="28,28"><v:roundrect style="position:absolute;width:28;height:28" arcsize="25%" fillcolor="${light('brand')}" stroked="f"></v:roundrect>${OUTLOOK_RINGS}${oval('left:11;top:14;width:3;height:3', `fillcolor="${HEART}" stroked="f"`)}</v:group>`

/**
 * The logo's rings, made of boxes with round corners. Most mail programs drop inline drawings, and the mail loads no pictures.
 */
const MARK = raw(
  `<!--[if mso]>${OUTLOOK_MARK}<![endif]--><!--[if !mso]><!--><span aria-hidden="true" dir="ltr" style="display:block;width:28px;height:28px;border-radius:7px;background:${light('brand')};overflow:hidden;font-size:0;line-height:0;text-align:left">${RINGS_DRAWN}</span><!--<![endif]-->`,
)

/**
 * Outlook for Windows ignores padding on links. In that program, raised invisible letters create the button's padding. Other
 * programs treat this code as comments.
 */
const [OUTLOOK_BEFORE, OUTLOOK_AFTER] = [
  raw(
    '<!--[if mso]><i style="mso-font-width:200%;mso-text-raise:20pt" hidden>&emsp;</i><span style="mso-text-raise:10pt"><![endif]-->',
  ),
  raw('<!--[if mso]></span><i style="mso-font-width:200%" hidden>&emsp;&#8203;</i><![endif]-->'),
]

type MailContentOf = { subject: string; body: readonly MailPart[] }

/** Invisible characters that fill the preview, so that mail programs show nothing after the first words. */
const NOTHING_MORE = raw('&#847;&zwnj;&nbsp;'.repeat(60))

/** Returns the preview text that mail programs show beside the subject: the part after the greeting. */
function preheader(body: readonly MailPart[]) {
  const [, summary] = body.filter((part) => typeof part === 'string')
  if (summary === undefined) return ''
  return markup`<div aria-hidden="true" style="display:none;max-height:0;overflow:hidden;opacity:0;mso-hide:all">${summary}${NOTHING_MORE}</div>
`
}

/**
 * Renders a mail as HTML with the one template for all mails. It uses tables, because Outlook for Windows supports no other
 * fixed width. The mail loads no pictures, fonts or scripts, so opening it informs no server. Every text is escaped.
 */
export function mailHtml(translator: Translator, { subject, body }: MailContentOf): string {
  const { language } = translator
  const direction = directionOf(language)
  // Some mail programs do not support `start`.
  const start = direction === 'rtl' ? 'right' : 'left'
  const automatic = translator.i18n._({
    id: 'mail.automatic',
    message: "This email was sent automatically by Alder. Please don't reply to it.",
  })
  const page = markup`<!doctype html>
<html lang="${language}" dir="${direction}" xmlns:v="urn:schemas-microsoft-com:vml">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${subject}</title>
<style>${raw(DARK)}</style>
</head>
<body class="canvas" style="margin:0;padding:0;background:${light('canvas')}">
${preheader(body)}<div class="canvas" lang="${language}" dir="${direction}" style="background:${light('canvas')};font-family:${raw(FONT)};font-size:16px;line-height:1.55;text-align:${start};font-variant-numeric:tabular-nums">
<table role="presentation" class="canvas" dir="${direction}" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${light('canvas')}"><tr><td align="center" style="padding:32px 16px">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" dir="${direction}" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:${start};font-family:${raw(FONT)};font-size:16px;line-height:1.55">
<tr><td style="padding:0 8px 20px"><table role="presentation" dir="${direction}" cellpadding="0" cellspacing="0" border="0"><tr><td width="28" valign="middle">${MARK}</td><td class="ink" valign="middle" style="padding:0 10px;font-size:20px;line-height:28px;font-weight:700;color:${light('ink')}">Alder</td></tr></table></td></tr>
<tr><td class="surface" bgcolor="${light('surface')}" style="padding:32px 28px 16px;background:${light('surface')};border:1px solid ${light('line')};border-radius:22px">
<h1 class="ink" style="margin:0 0 20px;font-size:24px;line-height:1.3;font-weight:700;color:${light('ink')}">${subject}</h1>
${body.map((part) => (typeof part === 'string' ? paragraph(part) : button(translator, part)))}
</td></tr>
<tr><td class="soft" style="padding:20px 8px 0;font-size:13px;color:${light('ink-soft')}">${automatic}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</div>
</body>
</html>
`
  return htmlText(page)
}

function paragraph(text: string) {
  const lines = text.split('\n').map((line, index) => (index === 0 ? line : markup`<br>${line}`))
  return markup`<p class="ink" style="margin:0 0 16px;color:${light('ink')}">${lines}</p>
`
}

function button({ i18n }: Translator, { label, link }: Exclude<MailPart, string>) {
  const otherwise = i18n._({
    id: 'mail.button_fails',
    message: "If the button doesn't work, open this link:",
    comment: 'An address follows',
  })
  return markup`<p style="margin:24px 0 12px"><a class="button" href="${link}" style="display:inline-block;padding:14px 26px;background:${light('primary')};color:${light('on-primary')};border-radius:14px;font-weight:600;text-decoration:none;mso-padding-alt:0;text-underline-color:${light('primary')}">${OUTLOOK_BEFORE}${label}${OUTLOOK_AFTER}</a></p>
<p class="soft" style="margin:0 0 24px;font-size:13px;color:${light('ink-soft')}">${otherwise}<br><a class="link" href="${link}" dir="ltr" style="color:${light('primary')};word-break:break-all">${link}</a></p>
`
}
