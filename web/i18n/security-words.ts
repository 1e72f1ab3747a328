import type { NetworkZone, SecurityEventKind } from '#contract/security-events.ts'
import { textOf } from '#web/i18n/words.ts'

export const networkZoneText = (zone: NetworkZone) => textOf('network_zone', zone)

export const securityEventText = (kind: SecurityEventKind) => textOf('security_event', kind)
