import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { BookOpenCheck, Download, FileSpreadsheet, FileText, type LucideIcon, Wallet } from 'lucide-react'
import { useState } from 'react'
import {
  CSV_MARKS,
  type CsvStyle,
  CSV_STYLES,
  csvStyleOf,
  type StatementFormat,
  statementFileName,
} from '#contract/statement-formats.ts'
import { STATEMENT_MARKS } from '#contract/file-progress.ts'
import { useIsConnected } from '#web/lib/connection.ts'
import { type StatementRequest, statementQuery, accountStatementUrl } from '#web/statements/queries.ts'
import { DownloadWork, useDownload } from '#web/ui/download-work.tsx'
import { ButtonRow, type RowTint } from '#web/ui/row.tsx'
import { leftToRight } from '#web/i18n/formats.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

type Offered = {
  format: StatementFormat
  icon: LucideIcon
  tint: RowTint
  title: MessageDescriptor
  about: MessageDescriptor
}

const OFFERED: readonly Offered[] = [
  { format: 'pdf', icon: FileText, tint: 'primary', title: msg`Download PDF`, about: msg`To read, print or send` },
  { format: 'csv', icon: FileSpreadsheet, tint: 'blue', title: msg`Download CSV`, about: msg`For spreadsheets` },
  { format: 'ofx', icon: Wallet, tint: 'purple', title: msg`Download OFX`, about: msg`For personal finance apps` },
  {
    format: 'camt',
    icon: BookOpenCheck,
    tint: 'orange',
    title: msg({ message: 'Download camt.053', comment: 'The name of a file format of ISO 20022' }),
    about: msg`For accounting software (ISO 20022)`,
  },
]

/** Returns a sample such as '2026-08-28,12.50,USD', which is clear in every language. */
const csvSample = ({ separator, decimal }: (typeof CSV_MARKS)[CsvStyle]): string =>
  leftToRight(['2026-08-28', `12${decimal}50`, 'USD'].join(separator))

/** Offers a statement in each file format. `request` is null until a valid period is chosen. */
export function Downloads({ request }: { request: StatementRequest | null }) {
  const { t, i18n } = useLingui()
  const { data } = useQuery(statementQuery(request))
  const isUp = useIsConnected()
  const [chosenFormat, setChosen] = useState<StatementFormat | null>(null)
  const { fetchFile, received, cancel } = useDownload()
  const busy = received ? chosenFormat : null
  const [csv, setCsv] = useState(csvStyleOf(i18n.locale))
  const isReady = isUp && data !== undefined && !data.tooLong
  function fetchStatement(format: StatementFormat): void {
    if (!request) return
    setChosen(format)
    const [url, name] = [accountStatementUrl(request, { format, csv }), statementFileName(request.range, format)]
    void fetchFile(url, name, STATEMENT_MARKS[format])
  }
  return (
    <Section title={t`Download`}>
      <Card>
        <ul className="divide-y divide-line">
          {OFFERED.map(({ format, icon, tint, title, about }) => (
            <li key={format} className={isReady ? '' : 'opacity-55'}>
              <ButtonRow
                icon={icon}
                tint={tint}
                title={t(title)}
                description={t(about)}
                disabled={!isReady || (busy !== null && busy !== format)}
                busy={busy === format}
                onClick={() => fetchStatement(format)}
                trailing={
                  busy === format ? null : (
                    <Download aria-hidden className="size-5 shrink-0 text-ink-soft" strokeWidth={2} />
                  )
                }
              />
              {received && busy === format && <DownloadWork label={t(title)} received={received} onCancel={cancel} />}
            </li>
          ))}
        </ul>
        <div className="border-t border-line p-4">
          <SelectField
            label={t`CSV Format`}
            options={CSV_STYLES.map((value) => ({ value, label: csvSample(CSV_MARKS[value]) }))}
            value={csv}
            onChange={setCsv}
          />
        </div>
      </Card>
    </Section>
  )
}
