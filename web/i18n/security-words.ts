import type { DeviceParts } from '#contract/devices.ts'
import { deviceTextIn } from '#contract/code-texts.ts'
import type { NetworkZone, SecurityEventKind } from '#contract/security-events.ts'
import { textOf } from '#web/i18n/words.ts'

export const networkZoneText = (zone: NetworkZone) => textOf('network_zone', zone)

export const securityEventText = (kind: SecurityEventKind) => textOf('security_event', kind)

export const deviceText = (device: DeviceParts) => deviceTextIn(textOf, device)
