import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import {
  DATE_FORMATS,
  type DateFormat,
  DECIMAL_MARKS,
  type DecimalMark,
  type Encoding,
  ENCODINGS,
  type ImportQuestion,
  SPENDING_SIGNS,
  type SpendingSign,
} from '#contract/statement-formats.ts'
import { perLanguage } from '#web/i18n/per-language.ts'
import { SelectField } from '#web/ui/select-field.tsx'

/** How a file is written; null for what it has none of. */
export type Writing = {
  dateFormat: DateFormat | null
  decimalMark: DecimalMark | null
  spending: SpendingSign | null
}

type WritingFieldsProps = {
  writing: Writing
  /** What the file was read in; null where that is certain. */
  encoding: Encoding | null
  /** What the customer has still to say. */
  open: ReadonlySet<ImportQuestion>
  onWriting: (part: Partial<Writing>) => void
  onEncoding: (encoding: Encoding) => void
}

/** How a file is written: its days, amounts and letters. */
export function WritingFields({ writing, encoding, open, onWriting, onEncoding }: WritingFieldsProps) {
  const { t } = useLingui()
  const title = useId()
  const dates = {
    ymd: t`Year, month, day`,
    dmy: t`Day, month, year`,
    mdy: t`Month, day, year`,
    excel: t`Days since 1900, as in Excel`,
    unix: t`Seconds since 1970`,
  }
  const marks = { '.': '1,234.56', ',': '1.234,56' }
  const signs = { negative: t`With a minus`, positive: t`Without a minus` }
  const choose = t`Choose…`
  const value = <Part extends keyof Writing>(part: Part) => (open.has(part) ? null : writing[part])
  return (
    <section aria-labelledby={title} className="space-y-3">
      <h3 id={title} className="font-semibold">
        <Trans>How It Is Written</Trans>
      </h3>
      {writing.dateFormat && (
        <SelectField
          label={t`How Dates Are Written`}
          options={DATE_FORMATS.map((format) => ({ value: format, label: dates[format] }))}
          value={value('dateFormat')}
          placeholder={choose}
          onChange={(dateFormat) => onWriting({ dateFormat })}
        />
      )}
      {writing.decimalMark && (
        <SelectField
          label={t`How Amounts Are Written`}
          options={DECIMAL_MARKS.map((mark) => ({ value: mark, label: marks[mark] }))}
          value={value('decimalMark')}
          placeholder={choose}
          onChange={(decimalMark) => onWriting({ decimalMark })}
        />
      )}
      {writing.spending && (
        <SelectField
          label={t`How Spending Is Written`}
          options={SPENDING_SIGNS.map((sign) => ({ value: sign, label: signs[sign] }))}
          value={value('spending')}
          placeholder={choose}
          onChange={(spending) => onWriting({ spending })}
        />
      )}
      {encoding && <SelectField label={t`Encoding`} options={encodings()} value={encoding} onChange={onEncoding} />}
    </section>
  )
}

/** Of each encoding the script, or the language, that it is for. */
const WRITTEN_FOR: Record<Encoding, string> = {
  'utf-8': '',
  'utf-16le': '',
  'utf-16be': '',
  'windows-1252': 'Latn',
  'iso-8859-15': 'Latn',
  macintosh: 'Latn',
  'windows-1250': 'Latn',
  'iso-8859-2': 'Latn',
  'windows-1251': 'Cyrl',
  'koi8-r': 'Cyrl',
  'windows-1253': 'Grek',
  'windows-1254': 'tr',
  'windows-1255': 'Hebr',
  'windows-1256': 'Arab',
  'windows-1257': 'Latn',
  gb18030: 'zh-Hans',
  shift_jis: 'ja',
  'euc-jp': 'ja',
  big5: 'zh-Hant',
  'euc-kr': 'ko',
}

const SCRIPTS = perLanguage((locale) => new Intl.DisplayNames(locale, { type: 'script' }))
const LANGUAGE_NAMES = perLanguage((locale) => new Intl.DisplayNames(locale, { type: 'language' }))

/** The encodings by their names, with the script or language of each in the reader's language. */
function encodings(): { value: Encoding; label: string }[] {
  return ENCODINGS.map((encoding) => {
    const code = WRITTEN_FOR[encoding]
    const name = code === '' ? '' : (/^[A-Z]/.test(code) ? SCRIPTS() : LANGUAGE_NAMES()).of(code)
    return { value: encoding, label: name ? `${encoding} · ${name}` : encoding.toUpperCase() }
  })
}
