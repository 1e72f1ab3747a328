import { directionOf } from '#contract/languages.ts'
import type { MailPart } from '#server/mail/texts/text.ts'
import { markup, raw, written } from '#server/platform/markup.ts'
import type { Translator } from '#server/platform/translations.ts'

/** The colours of the web app (`web/styles.css`), each light and dark. */
const COLOURS = {
  canvas: ['#f6f4ef', '#0f1513'],
  surface: ['#ffffff', '#171f1c'],
  ink: ['#17211d', '#eef1ec'],
  soft: ['#575f59', '#a5b0aa'],
  line: ['#e2ddd2', '#2b3732'],
  primary: ['#0f5d4f', '#74cfb4'],
  onPrimary: ['#ffffff', '#06241c'],
} as const

const light = (name: keyof typeof COLOURS) => COLOURS[name][0]
const dark = (name: keyof typeof COLOURS) => COLOURS[name][1]

const FONT =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Arabic', Helvetica, Arial, sans-serif"

/**
 * Only what changes in the dark: mail programs that drop it show the light colours, which stand on the elements.
 * They win over those with `!important`.
 */
const DARK = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .canvas { background: ${dark('canvas')} !important; }
    .surface { background: ${dark('surface')} !important; border-color: ${dark('line')} !important; }
    .ink { color: ${dark('ink')} !important; }
    .soft { color: ${dark('soft')} !important; }
    .button { background: ${dark('primary')} !important; color: ${dark('onPrimary')} !important; }
    .link { color: ${dark('primary')} !important; }
  }`

/** The rings of the logo. Mail programs without SVG leave it out, and the bank's name stands by itself. */
const MARK = raw(
  `<svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true" style="vertical-align:-8px"><rect width="28" height="28" rx="7" fill="#123f38"></rect><g fill="none" stroke="#f7f5ee" stroke-width="1.3"><circle cx="14" cy="14" r="9.8"></circle><circle cx="13.4" cy="14.9" r="7.2"></circle><circle cx="12.8" cy="15.3" r="4.6"></circle></g><circle cx="12.4" cy="15.7" r="1.5" fill="#eda277"></circle></svg>&nbsp; `,
)

/**
 * Outlook for Windows knows no padding on links: there, invisible letters raised in height make the button's room. Every
 * other program takes these for comments.
 */
const [OUTLOOK_BEFORE, OUTLOOK_AFTER] = [
  raw(
    '<!--[if mso]><i style="mso-font-width:200%;mso-text-raise:20pt" hidden>&emsp;</i><span style="mso-text-raise:10pt"><![endif]-->',
  ),
  raw('<!--[if mso]></span><i style="mso-font-width:200%" hidden>&emsp;&#8203;</i><![endif]-->'),
]

type MailContentOf = { subject: string; body: readonly MailPart[] }

/**
 * A mail as HTML, one template for all of them. It asks for nothing from anywhere: no pictures, fonts or scripts, so that
 * nobody learns whether and where it was opened. Every text in it is escaped.
 */
export function mailHtml(say: Translator, { subject, body }: MailContentOf): string {
  const { language } = say
  const direction = directionOf(language)
  // Some programs know no `start`.
  const start = direction === 'rtl' ? 'right' : 'left'
  const automatic = say.i18n._({
    id: 'mail.automatic',
    message: "This email was sent automatically by Alder. Please don't reply to it.",
  })
  const page = markup`<!doctype html>
<html lang="${language}" dir="${direction}">
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
<div class="canvas" lang="${language}" dir="${direction}" style="padding:32px 16px;background:${light('canvas')};font-family:${raw(FONT)};font-size:16px;line-height:1.55;text-align:${start}">
<div style="max-width:560px;margin:0 auto">
<p class="ink" style="margin:0 8px 20px;font-size:20px;font-weight:700;color:${light('ink')}">${MARK}Alder</p>
<div class="surface" style="padding:32px 28px 16px;background:${light('surface')};border:1px solid ${light('line')};border-radius:22px">
<h1 class="ink" style="margin:0 0 20px;font-size:24px;line-height:1.3;font-weight:700;color:${light('ink')}">${subject}</h1>
${body.map((part) => (typeof part === 'string' ? paragraph(part) : button(say, part)))}
</div>
<p class="soft" style="margin:20px 8px 0;font-size:13px;color:${light('soft')}">${automatic}</p>
</div>
</div>
</body>
</html>
`
  return written(page)
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
  return markup`<p style="margin:24px 0 12px"><a class="button" href="${link}" style="display:inline-block;padding:14px 26px;background:${light('primary')};color:${light('onPrimary')};border-radius:14px;font-weight:600;text-decoration:none;mso-padding-alt:0;text-underline-color:${light('primary')}">${OUTLOOK_BEFORE}${label}${OUTLOOK_AFTER}</a></p>
<p class="soft" style="margin:0 0 24px;font-size:13px;color:${light('soft')}">${otherwise}<br><a class="link" href="${link}" dir="ltr" style="color:${light('primary')};word-break:break-all">${link}</a></p>
`
}
