import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { DATE_FORMATS, DECIMAL_MARKS, SPENDING_SIGNS } from '#contract/statement-formats.ts'
import type { ColumnMapping, ImportPreview } from '#contract/statements.ts'
import { SelectField } from '#web/ui/select-field.tsx'

/** What a table has where the bank could tell nothing of it. */
const PLAIN: ColumnMapping = {
  date: 0,
  name: 1,
  amount: 2,
  moneyIn: null,
  dateFormat: 'ymd',
  decimalMark: '.',
  spending: 'negative',
}

/** Not a column. */
const NONE = 'none'

type MappingFieldsProps = {
  columns: ImportPreview['columns']
  mapping: ColumnMapping | null
  onChange: (mapping: ColumnMapping) => void
}

/** Which column of a table is what, and how it is written. */
export function MappingFields({ columns, mapping, onChange }: MappingFieldsProps) {
  const { t } = useLingui()
  const title = useId()
  const current = mapping ?? PLAIN
  const change = (part: Partial<ColumnMapping>) => onChange({ ...current, ...part })
  const options = columns.map(({ heading, samples }, index) => {
    const number = index + 1
    return { value: String(index), label: heading || samples[0] || t`Column ${number}` }
  })
  const column = (name: 'date' | 'name' | 'amount', label: string) => (
    <SelectField
      label={label}
      options={options}
      value={String(current[name])}
      onChange={(value) => change({ [name]: Number(value) })}
    />
  )
  return (
    <section aria-labelledby={title} className="space-y-3">
      <h3 id={title} className="font-semibold">
        <Trans comment="Of a table">Columns</Trans>
      </h3>
      {column('date', t`Date`)}
      {column('name', t({ message: 'Name', context: 'payee' }))}
      {column('amount', t`Amount`)}
      <SelectField
        label={t`Money In, If in a Column of Its Own`}
        options={[{ value: NONE, label: t({ message: 'None', context: 'column' }) }, ...options]}
        value={current.moneyIn === null ? NONE : String(current.moneyIn)}
        onChange={(value) => change({ moneyIn: value === NONE ? null : Number(value) })}
      />
      <Writing current={current} change={change} />
    </section>
  )
}

type WritingProps = { current: ColumnMapping; change: (part: Partial<ColumnMapping>) => void }

function Writing({ current, change }: WritingProps) {
  const { t } = useLingui()
  const dates = {
    ymd: t`Year, month, day`,
    dmy: t`Day, month, year`,
    mdy: t`Month, day, year`,
  }
  const marks = { '.': '1,234.56', ',': '1.234,56' }
  const signs = { negative: t`With a minus`, positive: t`Without a minus` }
  return (
    <>
      <SelectField
        label={t`How Dates Are Written`}
        options={DATE_FORMATS.map((value) => ({ value, label: dates[value] }))}
        value={current.dateFormat}
        onChange={(dateFormat) => change({ dateFormat })}
      />
      <SelectField
        label={t`How Amounts Are Written`}
        options={DECIMAL_MARKS.map((value) => ({ value, label: marks[value] }))}
        value={current.decimalMark}
        onChange={(decimalMark) => change({ decimalMark })}
      />
      <SelectField
        label={t`How Spending Is Written`}
        options={SPENDING_SIGNS.map((value) => ({ value, label: signs[value] }))}
        value={current.spending}
        onChange={(spending) => change({ spending })}
      />
    </>
  )
}
