import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import type { ColumnMapping, ImportPreview } from '#contract/statements.ts'
import { SelectField } from '#web/ui/select-field.tsx'

/** The mapping of a table's columns if the bank could detect none. */
const DEFAULT_MAPPING: ColumnMapping = {
  date: 0,
  name: 1,
  amount: 2,
  moneyIn: null,
  direction: null,
  currency: null,
  fee: null,
  state: null,
  dateFormat: 'ymd',
  decimalMark: '.',
  spending: 'negative',
}

/** The option for no column. */
const NONE = 'none'

type MappingFieldsProps = {
  columns: ImportPreview['columns']
  mapping: ColumnMapping | null
  /** Whether the customer still has to state if a column contains fees. */
  asksFee: boolean
  onChange: (mapping: ColumnMapping) => void
}

/** Shows the fields that map a table's columns to their meaning. */
export function MappingFields({ columns, mapping, asksFee, onChange }: MappingFieldsProps) {
  const { t } = useLingui()
  const title = useId()
  const current = mapping ?? DEFAULT_MAPPING
  const options = columns.map(({ heading, samples }, index) => {
    const number = index + 1
    return { value: String(index), label: heading || samples[0] || t`Column ${number}` }
  })
  const noneOption = { value: NONE, label: t({ message: 'None', context: 'column' }) }
  const choose = (part: Partial<ColumnMapping>) => onChange({ ...current, ...part })
  const column = (name: 'date' | 'name' | 'amount', label: string) => (
    <SelectField
      label={label}
      options={options}
      value={String(current[name])}
      onChange={(value) => choose({ [name]: Number(value) })}
    />
  )
  const optionalColumn = (
    name: 'moneyIn' | 'direction' | 'currency' | 'fee' | 'state',
    label: string,
    isOpen = false,
  ) => (
    <SelectField
      label={label}
      options={[noneOption, ...options]}
      value={isOpen ? null : String(current[name] ?? NONE)}
      placeholder={t`Choose…`}
      onChange={(value) => choose({ [name]: value === NONE ? null : Number(value) })}
    />
  )
  return (
    <section aria-labelledby={title} className="space-y-3">
      <h3 id={title} className="font-semibold">
        <Trans comment="The columns of a table">Columns</Trans>
      </h3>
      {column('date', t`Date`)}
      {column('name', t({ message: 'Name', context: 'payee' }))}
      {column('amount', t`Amount`)}
      {optionalColumn('moneyIn', t`Money In (If in a Separate Column)`)}
      {optionalColumn('direction', t`In or Out (If in a Separate Column)`)}
      {optionalColumn('currency', t`Currency`)}
      {optionalColumn('fee', t`Fee (If Not in the Amount)`, asksFee)}
      {optionalColumn('state', t`Status`)}
    </section>
  )
}
