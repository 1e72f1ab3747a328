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

/** The format of a file. A property is null if the file has no such values. */
export type FileFormat = {
  dateFormat: DateFormat | null
  decimalMark: DecimalMark | null
  spending: SpendingSign | null
}

type WritingFieldsProps = {
  writing: FileFormat
  /** The detected encoding; null if the encoding is certain, so that no field for it is shown. */
  encoding: Encoding | null
  /** The questions that the customer has not answered yet. */
  open: ReadonlySet<ImportQuestion>
  onWriting: (part: Partial<FileFormat>) => void
  onEncoding: (encoding: Encoding) => void
}

/** Shows the fields for a file's format: its dates, amounts and encoding. */
export function FileFormatFields({ writing, encoding, open, onWriting, onEncoding }: WritingFieldsProps) {
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
  const value = <Part extends keyof FileFormat>(part: Part) => (open.has(part) ? null : writing[part])
  return (
    <section aria-labelledby={title} className="space-y-3">
      <h3 id={title} className="font-semibold">
        <Trans>File Format</Trans>
      </h3>
      {writing.dateFormat && (
        <SelectField
          label={t`Date Format`}
          options={DATE_FORMATS.map((format) => ({ value: format, label: dates[format] }))}
          value={value('dateFormat')}
          placeholder={choose}
          onChange={(dateFormat) => onWriting({ dateFormat })}
        />
      )}
      {writing.decimalMark && (
        <SelectField
          label={t`Number Format`}
          options={DECIMAL_MARKS.map((mark) => ({ value: mark, label: marks[mark] }))}
          value={value('decimalMark')}
          placeholder={choose}
          onChange={(decimalMark) => onWriting({ decimalMark })}
        />
      )}
      {writing.spending && (
        <SelectField
          label={t`Spending Amounts`}
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

/** The code of each encoding's language or script; empty for Unicode. */
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

/** Returns the encodings by name, each with the name of its script or language, if any. */
function encodings(): { value: Encoding; label: string }[] {
  return ENCODINGS.map((encoding) => {
    const code = WRITTEN_FOR[encoding]
    const name = code === '' ? '' : (/^[A-Z]/.test(code) ? SCRIPTS() : LANGUAGE_NAMES()).of(code)
    return { value: encoding, label: name ? `${encoding} · ${name}` : encoding.toUpperCase() }
  })
}
