/* Orc, the compiler of loops over arrays that GStreamer's own elements use: its headers, as they are. */

#ifndef CAPSTAN_ORC_SHIM_H
#define CAPSTAN_ORC_SHIM_H

#include <orc/orc.h>
#include <orc/orcparse.h>

#endif
