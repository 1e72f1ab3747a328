import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Award, Download } from 'lucide-react'
import { useState } from 'react'
import type { CarbonCertificate } from '#contract/carbon.ts'
import { certificatesQuery, certificateUrl } from '#web/carbon/queries.ts'
import { monthAndYear } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { kilogramText } from '#web/i18n/weights.ts'
import { download } from '#web/lib/download.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { InlineFacts } from '#web/ui/inline-facts.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'

/** Lists the certificates of past offsets with their numbers. Shows nothing if there are no certificates. */
export function Certificates() {
  const { t } = useLingui()
  const list = useInfiniteQuery(certificatesQuery)
  const certificates = list.data?.pages.flatMap((page) => page.certificates) ?? []
  if (certificates.length === 0) return null
  return (
    <Section title={t`Your Certificates`}>
      <Card>
        <Rows of={certificates}>{(certificate) => <CertificateRow certificate={certificate} />}</Rows>
      </Card>
      <ShowMore list={list} />
    </Section>
  )
}

function CertificateRow({ certificate }: { certificate: CarbonCertificate }) {
  const { t } = useLingui()
  const { id, number, month, grams, amountMinor, asset, isSample } = certificate
  const [busy, setBusy] = useState(false)
  async function get(): Promise<void> {
    setBusy(true)
    try {
      await download(certificateUrl(id), `alder-certificate-${number}.pdf`)
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  const facts = [
    { key: 'weight', fact: <bdi className="tabular">{kilogramText(grams)}</bdi> },
    { key: 'month', fact: monthAndYear(month) },
    { key: 'cost', fact: <span className="tabular">{money(amountMinor, asset)}</span> },
    ...(isSample ? [{ key: 'sample', fact: t({ message: 'Sample', comment: 'A certificate of a sample bank' }) }] : []),
  ]
  return (
    <ButtonRow
      icon={Award}
      title={<bdi className="tabular break-all">{number}</bdi>}
      description={<InlineFacts facts={facts} />}
      busy={busy}
      onClick={() => void get()}
      trailing={
        !busy && (
          <>
            <span className="sr-only">{t`Download as PDF`}</span>
            <Download aria-hidden className="size-5 shrink-0 text-ink-soft" strokeWidth={1.9} />
          </>
        )
      }
    />
  )
}
