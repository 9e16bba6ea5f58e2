#pragma once
// What both see of the system's headers must be the same: these come first.
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <hiredis/hiredis.h>
