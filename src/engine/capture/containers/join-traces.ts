/**
 * Files of Envoy's tap, which writes one for each trace → all their traces as one file, without sizes, so that the reader
 * in `envoy-tap.ts` reads them as one capture.
 */
import { joinBytes } from '../../bytes/join.ts';
import { varintEnd, varintNumber } from '../../bytes/varint.ts';
import { brokenTrace, envoyTracesOfJson } from '../text/envoy-json.ts';
import { isWholeMessage } from './proto-records.ts';
import { isEnvoyTap, isEnvoyTrace } from './sniff-capture.ts';

export const joinTraces = (files: readonly Uint8Array[]): Uint8Array => joinBytes(files.map(tracesIn));

function tracesIn(file: Uint8Array): Uint8Array {
  if (!isEnvoyTap(file)) return envoyTracesOfJson(file);
  // Behind a trace that is not whole, the next file would be taken for its end.
  if (isEnvoyTrace(file, 0)) return isWholeMessage(file) ? file : brokenTrace(file);
  const traces: Uint8Array[] = [];
  for (let at = 0; at < file.length; ) {
    const body = varintEnd(file, at, file.length);
    const end = body < 0 ? file.length : body + varintNumber(file, at, body);
    const trace = file.subarray(body < 0 ? at : body, end);
    const isWhole = body >= 0 && end <= file.length && isWholeMessage(trace);
    traces.push(isWhole ? trace : brokenTrace(trace));
    at = end;
  }
  return joinBytes(traces);
}
